// The worked examples of the rules: every [data-example] becomes a board that shows one turn at a time.

import { Board } from "./board.js";
import { Film, SIDES, sentence } from "./board/film.js";
import { sow } from "./board/sowing.js";

const GLIDE_MS = 220;
const still = matchMedia("(prefers-reduced-motion: reduce)");

class Example {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.film = new Film(JSON.parse(root.dataset.example));
    this.ply = 0;
    this.sowing = null;
    for (const element of root.querySelectorAll("[data-script]")) element.hidden = false;
    for (const element of root.querySelectorAll("[data-no-script]")) element.remove();
    this.board = new Board(this.part("board"), this.film);
    this.part("back").addEventListener("click", () => this.#rest(Math.max(0, this.sowing ? this.ply : this.ply - 1)));
    this.part("forward").addEventListener("click", () => this.#forward());
    if (!this.film.known) for (const name of ["back", "forward"]) this.part(name).remove();
    this.#rest(0);
    root.dataset.ready = "yes";
  }

  part(name) {
    return this.root.querySelector(`[data-part="${name}"]`);
  }

  /** Show the next turn seed by seed; asked again meanwhile, show its end. */
  async #forward() {
    if (this.sowing || still.matches) return this.#rest(this.ply + 1);
    const turn = this.film.turns[this.ply];
    const sowing = (this.sowing = new AbortController());
    this.part("told").textContent = sentence(turn, SIDES, false);
    const before = this.film.board(this.ply);
    this.board.show(before, { from: turn.from, last: null, taken: new Set() });
    if (await sow(this.board, before, turn.steps, { speed: 1, signal: sowing.signal })) this.#rest(this.ply + 1);
    return undefined;
  }

  #rest(ply) {
    this.sowing?.abort();
    this.sowing = null;
    this.ply = ply;
    const { told, turns, known } = this.film;
    this.board.show(this.film.board(ply), this.film.turnTo(ply), GLIDE_MS);
    const words = ply ? [sentence(turns[ply - 1])] : known ? [`${SIDES[told.side]} to move.`] : [];
    if (told.notes[ply]) words.push(told.notes[ply]);
    this.part("told").textContent = words.join(" ");
    this.board.describe(`${this.root.getAttribute("aria-label")}. ${this.#inWords(this.film.board(ply))}`);
    for (const [name, isOff] of [["back", ply === 0], ["forward", ply === known]]) {
      const button = this.part(name);
      if (button) button.disabled = isOff;
    }
  }

  #inWords(board) {
    const half = board.pits.length / 2;
    const rows = SIDES.map((side, number) => `${side}: ${board.pits.slice(number * half, (number + 1) * half).join(" ")}`);
    return `${rows.join("; ")}.`;
  }
}

for (const root of document.querySelectorAll("[data-example]")) new Example(root);
