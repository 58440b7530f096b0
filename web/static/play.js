// A board to play on: every [data-play] becomes one.  The server knows the rules, this page keeps the moves.

import { Board } from "./board.js";
import { Film, SIDES, fetched, sentence } from "./board/film.js";
import { pause, sow } from "./board/sowing.js";
import { TurnList } from "./board/turn-list.js";

const BETWEEN_TURNS_MS = 420;
const GLIDE_MS = 220;
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Game {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.address = root.dataset.play;
    this.start = root.dataset.start;
    this.film = null;
    this.keepsFocus = false; // whether the focus goes back to the board after an answer
    this.busy = new AbortController();
    this.#wire();
    this.#readAddress();
  }

  part(name) {
    return this.root.querySelector(`[data-part="${name}"]`);
  }

  get bot() {
    return this.part("bot").value;
  }

  /** The side the visitor plays; a bot has the other one. */
  get side() {
    return Number(this.part("side").value);
  }

  get names() {
    return SIDES.map((name, side) => (!this.bot ? name : side === this.side ? "You" : this.bot));
  }

  /** Play these moves, let the bot answer, and show what is new, step by step unless it is an old game. */
  async go(moves, { answers = true, isOld = false } = {}) {
    this.busy.abort();
    this.busy = new AbortController();
    const { signal } = this.busy;
    this.root.setAttribute("aria-busy", "true");
    this.keepsFocus ||= Boolean(document.activeElement?.closest(".hit, [data-part=choices]"));
    this.#offer([]);
    try {
      const told = await fetched(this.#question(moves, answers));
      if (!signal.aborted) await this.#showNew(told, signal, isOld);
    } catch (error) {
      if (signal.aborted) return;
      this.part("told").textContent = error.message;
      this.root.setAttribute("aria-busy", "false");
      if (this.film) this.#offer(this.film.told.choices);
    }
  }

  newGame() {
    this.film = null;
    return this.go([]);
  }

  /** Take back the visitor's last decision, and all that came after it. */
  takeBack() {
    const movers = this.film.turns.flatMap((turn) => decisions(turn).map(() => turn.side));
    let left = movers.length;
    while (left > 0 && this.bot && movers[left - 1] !== this.side) left -= 1;
    if (left > 0) return this.go(this.film.told.moves.slice(0, left - 1), { answers: false });
    return undefined;
  }

  #question(moves, answers) {
    const query = new URLSearchParams();
    if (this.start) query.set("start", this.start);
    if (moves.length) query.set("moves", moves.join("."));
    if (this.bot && answers) {
      query.set("bot", this.bot);
      query.set("side", 1 - this.side);
    }
    return `${this.address}?${query}`;
  }

  // --- showing

  async #showNew(told, signal, isOld) {
    const film = new Film(told);
    const known = this.film ?? new Film({ ...told, turns: [] });
    const goesOn = !isOld && told.moves.length >= (this.film?.told.moves.length ?? 0);
    this.film = film;
    if (!this.board) {
      this.board = new Board(this.part("board"), film);
      this.list = new TurnList(this.part("turns"), () => {});
    }
    this.list.cut(goesOn ? Math.max(0, known.known - 1) : 0);
    this.list.extend(film.turns);
    if (goesOn && !still.matches && !(await this.#sowNew(known, film, signal))) return;
    this.#rest(film, known);
  }

  /** Show all that is not known yet, turn by turn; false when it was broken off. */
  async #sowNew(known, film, signal) {
    const first = Math.max(0, known.known - 1);
    for (const turn of film.turns.slice(first)) {
      const seen = known.turns[turn.ply]?.steps.length ?? 0;
      const steps = turn.steps.slice(seen);
      if (!steps.length) continue;
      const before = seen ? known.boards.at(-1) : film.boards[turn.ply];
      this.board.show(before, { from: turn.from, last: seen ? known.turns[turn.ply].last : null, taken: new Set() });
      this.part("told").textContent = sentence(turn, this.names, false);
      this.list.mark(turn.ply + 1);
      if (!(await sow(this.board, before, steps, { speed: 1.2, signal }))) return false;
      this.board.show(film.boards[turn.ply + 1], turn, GLIDE_MS);
      if (turn !== film.turns.at(-1) && !(await pause(BETWEEN_TURNS_MS, signal))) return false;
    }
    return true;
  }

  #rest(film, known) {
    const { told } = film;
    const board = film.boards.at(-1);
    const news = film.turns.slice(known.known ? known.known - 1 : 0).filter((turn) => turn.side !== this.side || !this.bot);
    const words = news.slice(-3).map((turn) => sentence(turn, this.names));
    words.push(told.end || told.question || `${this.names[told.side]} to move.`);
    this.part("told").textContent = words.join(" ");
    this.board.show(board, film.turns.at(-1) ?? null, GLIDE_MS);
    this.board.describe(`${told.title}. ${words.at(-1)}`);
    this.list.mark(film.known);
    this.part("back").disabled = !told.moves.length;
    SIDES.forEach((_, side) => {
      const strip = this.root.querySelector(`[data-side="${side}"]`);
      strip.classList.toggle("seat--moves", !told.end && told.side === side);
      strip.classList.toggle("seat--won", told.winner === side);
      strip.querySelector("[data-part=seeds]").textContent = film.seedsOf(side, board);
      strip.querySelector("bdi").textContent = this.bot ? this.names[side] : "";
    });
    const moves = told.moves.length ? `moves=${told.moves.join(".")}&` : "";
    history.replaceState(history.state, "", `#${moves}bot=${this.bot}&side=${this.side}`);
    this.#offer(told.choices);
    this.root.setAttribute("aria-busy", "false");
  }

  // --- choosing

  /** Offer what is legal: pits on the board; what has no pit, and what one pit leaves open, as buttons. */
  #offer(choices) {
    const byPit = Map.groupBy(choices.filter(([, pit]) => pit !== null), ([, pit]) => pit);
    const offers = new Map();
    for (const [pit, [first, ...more]] of byPit) {
      offers.set(pit, more.length ? `Pit ${first[2]}: choose` : first[3]);
    }
    this.board?.offer(offers, (pit) => this.#pick(byPit.get(pit)));
    this.#buttons(choices.filter(([, pit]) => pit === null));
    if (!this.keepsFocus || !choices.length) return;
    this.keepsFocus = false;
    (this.root.querySelector(".hit") ?? this.part("choices").firstElementChild).focus();
  }

  #pick(choices) {
    if (choices.length === 1) this.go([...this.film.told.moves, choices[0][0]]);
    else {
      this.#buttons(choices);
      this.part("choices").querySelector("button").focus();
    }
  }

  #buttons(choices) {
    const made = choices.map(([move, , , words]) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "button";
      button.textContent = words;
      button.addEventListener("click", () => this.go([...this.film.told.moves, move]));
      return button;
    });
    this.part("choices").replaceChildren(...made);
  }

  #wire() {
    for (const element of this.root.querySelectorAll("[data-script]")) element.hidden = false;
    for (const element of this.root.querySelectorAll("[data-no-script]")) element.remove();
    this.part("new").addEventListener("click", () => this.newGame());
    this.part("back").addEventListener("click", () => this.takeBack());
    for (const name of ["bot", "side"]) this.part(name).addEventListener("change", () => this.go(this.film?.told.moves ?? []));
  }

  #readAddress() {
    const given = new URLSearchParams(location.hash.slice(1));
    for (const name of ["bot", "side"]) {
      const select = this.part(name);
      if ([...select.options].some((option) => option.value === given.get(name))) select.value = given.get(name);
    }
    const moves = given.get("moves")?.split(".").filter((move) => /^\d+$/.test(move)) ?? [];
    this.go(moves, { isOld: moves.length > 0 });
  }
}

/** A turn's decisions: the steps between two questions. */
function decisions({ steps }) {
  return [null, ...steps.filter((step) => step.kind === "decide")];
}

for (const root of document.querySelectorAll("[data-play]")) new Game(root);
