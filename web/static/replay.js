// A replay: every [data-replay] on the page becomes a board with controls, keys, a list of turns and a link to each.

import { Board } from "./board.js";
import { SIDES, load, sentence } from "./board/film.js";
import { pause, sow } from "./board/sowing.js";
import { TurnList, timeText } from "./board/turn-list.js";

const BETWEEN_TURNS_MS = 650;
const GLIDE_MS = 260;
const SPEED_KEY = "arena.speed";
const AT = /^#ply=(\d{1,6})$/;
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Replay {
  /** @param {HTMLElement} root @param {import("./board/film.js").Film} film */
  constructor(root, film) {
    this.root = root;
    this.film = film;
    this.ply = 0;
    this.playing = null; // what ends the run of turns
    this.sowing = null; // what ends the turn being shown
    this.names = film.told.players?.map((player) => player.name) ?? SIDES;
    this.board = new Board(this.part("board"), film);
    this.list = new TurnList(this.part("turns"), (ply) => this.jump(ply));
    this.#wire();
    this.grow();
  }

  part(name) {
    return this.root.querySelector(`[data-part="${name}"]`);
  }

  /** More turns have been loaded. */
  grow() {
    this.list.extend(this.film.turns);
    this.part("slider").max = this.film.plies;
    this.#tell();
  }

  // --- where to be

  /** Show the board after so many turns, at once. */
  jump(ply) {
    this.pause();
    this.#rest(Math.max(0, Math.min(ply, this.film.known)));
  }

  back() {
    this.jump(this.sowing ? this.ply : this.ply - 1);
  }

  /** Show the next turn; while one is being shown, show its end. */
  async forward() {
    if (this.sowing) return this.jump(this.ply + 1);
    this.pause();
    return this.#showTurn();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  async play() {
    if (this.ply >= this.film.known) this.#rest(0);
    this.playing = new AbortController();
    const { signal } = this.playing;
    this.#button();
    while (!signal.aborted && this.ply < this.film.known) {
      if (!(await this.#showTurn())) return;
      if (!(await pause(BETWEEN_TURNS_MS / this.speed, signal))) return;
    }
    this.pause();
  }

  pause() {
    this.playing?.abort();
    this.sowing?.abort();
    this.playing = this.sowing = null;
    this.#button();
  }

  get speed() {
    return Number(this.part("speed").value) || 1;
  }

  /** Show the next turn step by step; false when it was broken off. */
  async #showTurn() {
    const turn = this.film.turns[this.ply];
    if (!turn) return false;
    if (still.matches) return this.#rest(this.ply + 1);
    const sowing = (this.sowing = new AbortController());
    this.board.show(this.film.board(this.ply), { from: turn.from, last: null, taken: new Set() });
    this.#tell(turn);
    const isDone = await sow(this.board, this.film.board(this.ply), turn.steps, {
      speed: this.speed, signal: sowing.signal, onStep: (step, lap) => this.#tellLap(turn, lap),
    });
    if (this.sowing === sowing) this.sowing = null;
    return isDone && this.#rest(this.ply + 1);
  }

  /** Be at rest after so many turns. */
  #rest(ply) {
    const glides = Math.abs(ply - this.ply) <= 1 ? GLIDE_MS : 0;
    this.ply = ply;
    this.board.show(this.film.board(ply), this.film.turnTo(ply), glides);
    this.#tell();
    history.replaceState(history.state, "", ply ? `#ply=${ply}` : location.pathname);
    return true;
  }

  // --- what is told

  #tell(turn = null) {
    const board = this.film.boards[this.ply];
    const led = turn ?? this.film.turnTo(this.ply);
    const isOver = !turn && this.ply === this.film.plies;
    const words = [led ? sentence(led, this.names, !turn) : "The start of the game."];
    if (led?.us != null && !turn) words.push(`(${timeText(led.us)})`);
    if (isOver) words.push(this.film.told.end);
    this.part("told").textContent = words.join(" ");
    this.part("lap").textContent = "";
    this.part("where").textContent = `${this.ply} / ${this.film.plies}`;
    this.part("slider").value = this.ply;
    this.part("slider").setAttribute("aria-valuetext", `turn ${this.ply} of ${this.film.plies}`);
    this.list.mark(turn ? this.ply + 1 : this.ply);
    this.board.describe(this.#boardInWords(board));
    this.#tellSides(board, turn ?? this.film.turns[this.ply], isOver);
    this.#fillTable(board);
    this.part("first").disabled = this.part("back").disabled = this.ply === 0 && !turn;
    this.part("last").disabled = this.part("forward").disabled = this.ply >= this.film.known;
  }

  #tellLap(turn, lap) {
    const laps = turn.laps > 1 ? `lap ${lap} of ${turn.laps}` : "";
    if (this.part("lap").textContent !== laps) this.part("lap").textContent = laps;
  }

  #tellSides(board, next, isOver) {
    SIDES.forEach((_, side) => {
      const strip = this.root.querySelector(`[data-side="${side}"]`);
      strip.classList.toggle("seat--moves", !isOver && next?.side === side);
      strip.classList.toggle("seat--won", isOver && this.film.told.winner === side);
      strip.querySelector("[data-part=seeds]").textContent = this.film.seedsOf(side, board);
    });
  }

  #boardInWords(board) {
    const half = board.pits.length / 2;
    const rows = SIDES.map((side, number) => `${side}: ${board.pits.slice(number * half, (number + 1) * half).join(" ")}`);
    const stores = this.film.has_stores ? `, stores ${board.stores.join(" and ")}` : "";
    return `Board after turn ${this.ply}. ${rows.join("; ")}${stores}.`;
  }

  #fillTable(board) {
    for (const cell of this.root.querySelectorAll("[data-place]")) {
      cell.lastElementChild.textContent = board.pits[cell.dataset.place];
    }
    this.part("moment").textContent = this.ply ? `after turn ${this.ply}` : "at the start";
  }

  #button() {
    const button = this.part("play");
    button.setAttribute("aria-pressed", String(Boolean(this.playing)));
    button.setAttribute("aria-label", this.playing ? "Pause" : "Play");
  }

  // --- what is done

  #wire() {
    for (const element of this.root.querySelectorAll("[data-script]")) element.hidden = false;
    for (const element of this.root.querySelectorAll("[data-no-script]")) element.remove();
    this.part("table").open = false;
    const doing = {
      first: () => this.jump(0), back: () => this.back(), play: () => this.toggle(),
      forward: () => this.forward(), last: () => this.jump(this.film.known),
      link: () => this.#share(this.#address()), share: () => this.#share(this.#asText()),
    };
    for (const [name, action] of Object.entries(doing)) this.part(name)?.addEventListener("click", action);
    this.part("slider").addEventListener("input", (event) => this.jump(Number(event.target.value)));
    this.part("speed").value = localStorage.getItem(SPEED_KEY) ?? "1";
    this.part("speed").addEventListener("change", () => localStorage.setItem(SPEED_KEY, this.part("speed").value));
    document.addEventListener("keydown", (event) => this.#key(event));
    addEventListener("hashchange", () => this.openAt(0));
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea")) return;
    const doing = {
      ArrowLeft: () => this.back(), ArrowRight: () => this.forward(),
      Home: () => this.jump(0), End: () => this.jump(this.film.known), " ": () => this.toggle(),
    }[event.key];
    if (!doing || (event.key === " " && event.target.closest("button, a, summary"))) return;
    event.preventDefault();
    doing();
  }

  /** Go where the address says, or else to this ply. */
  openAt(otherwise) {
    const found = AT.exec(location.hash);
    const ply = found ? Number(found[1]) : otherwise;
    if (ply !== this.ply || !found) this.jump(ply);
  }

  #address() {
    return `${location.origin}${location.pathname}${this.ply ? `#ply=${this.ply}` : ""}`;
  }

  #asText() {
    const { told, turns } = this.film;
    const listed = turns.map((turn) => `${turn.ply + 1}. ${SIDES[turn.side][0]} ${turn.text}`).join("  ");
    const players = SIDES.map((side, number) => `${side} ${this.names[number]}`).join(", ");
    return `${told.title} (${told.ruleset}): ${players}\n${told.end}\n${listed}\n${this.#address()}\n`;
  }

  async #share(text) {
    const shared = this.part("shared");
    shared.hidden = false;
    shared.querySelector("textarea").value = text;
    try {
      await navigator.clipboard.writeText(text);
      this.part("copied").textContent = "Copied.";
    } catch {
      shared.querySelector("textarea").select();
      this.part("copied").textContent = "Copy it from here:";
    }
  }
}

/** Make a replay of an element; resolves when the whole game is there. */
export async function start(root) {
  let replay = null;
  const [film, rest] = await load(root.dataset.replay, () => replay.grow());
  replay = new Replay(root, film);
  const opening = Number(root.dataset.ply) || 0;
  replay.openAt(opening);
  await rest();
  if (film.told.next != null) replay.openAt(opening);
  root.dataset.ready = "yes";
  return replay;
}

for (const root of document.querySelectorAll("[data-replay]")) {
  start(root).catch((error) => {
    root.querySelector("[data-part=told]").textContent = `The game cannot be shown: ${error.message}`;
  });
}
