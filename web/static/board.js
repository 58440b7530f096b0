// A mancala board of any of the games: shows a board, carries out one step at a time, and lets a pit be chosen.
// It knows where things lie and how they move; what happens on the board it is told (film.js, the server's trace).

import { draw, drawBoard } from "./board/drawing.js";
import { layOut } from "./board/geometry.js";
import { MOST_DRAWN, inHand, inPit, inStore } from "./board/seeds.js";

const KINDS = ["seed", "seed-sage", "seed-sand"];
const HAND = "hand";
const SHORTEST_GLIDE_MS = 24;
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Board {
  /** @param {HTMLElement} host @param {{rows: number[][], has_stores: boolean}} film */
  constructor(host, film) {
    this.host = host;
    this.film = film;
    this.piles = new Map(); // place, "store0", "store1" or "hand" -> its seeds, from the bottom up
    this.shown = null;
    this.marks = null;
    this.offered = null;
    this.handAt = { x: 0, y: 0 };
    this.#build();
    new ResizeObserver(() => this.#fit()).observe(host);
  }

  /** Show a board as it lies; seeds glide to their places within `ms`. */
  show(board, marks = null, ms = 0) {
    this.shown = board;
    this.marks = marks;
    if (board.hand && marks?.last != null) this.handAt = this.#overPit(marks.last);
    this.#deal(board);
    for (const place of this.piles.keys()) this.#settle(place, ms);
    this.#write(board);
    this.#mark(marks);
    if (marks?.last != null) this.#follow(marks.last);
  }

  /** Show one step; `board` is how all lies after it. */
  step(step, board, ms) {
    this.shown = board;
    const { kind, pit, side } = step;
    if (kind === "decide") return;
    if (pit !== null) this.#follow(pit);
    if (pit !== null && kind !== "capture" && kind !== "strip") this.handAt = this.#overPit(pit);
    const from = kind === "drop" || pit === null ? HAND : pit;
    const to = kind === "drop" ? pit : kind === "lift" || kind === "take" ? HAND : `store${side}`;
    this.#carry(from, to, kind === "drop" || kind === "strip" ? 1 : Infinity);
    if (kind === "drop" && this.#pile(to).length < board.pits[pit]) this.#pile(to).push(this.#newSeed(this.handAt));
    this.#settle(to, ms);
    this.#settle(from, ms);
    this.#write(board, ms);
    this.#glow(step, ms);
  }

  /** Let pits be chosen; `onPick` gets the pit's place. An empty map ends it. @param {Map<number, string>} offers */
  offer(offers, onPick) {
    this.offered = { offers, onPick };
    this.parts.hits.replaceChildren();
    this.parts.svg.setAttribute("role", offers.size ? "group" : "img");
    for (const [place, part] of this.parts.pits) part.group.classList.toggle("pit--open", offers.has(place));
    for (const [place, words] of offers) this.#offerPit(place, words, onPick);
  }

  /** What a reader who cannot see the board is told it is. */
  describe(words) {
    this.parts.svg.setAttribute("aria-label", words);
  }

  get isUpright() {
    return this.layout.isUpright;
  }

  // --- drawing it all

  #build() {
    this.width = this.host.clientWidth;
    this.layout = layOut(this.film, this.width, innerHeight);
    this.parts = drawBoard(this.layout);
    this.piles = new Map();
    this.host.replaceChildren(this.parts.svg);
    this.host.classList.toggle("board-host--upright", this.layout.isUpright);
  }

  #fit() {
    if (Math.abs(this.host.clientWidth - this.width) < 2 || !this.host.clientWidth) return;
    const words = this.parts.svg.getAttribute("aria-label");
    this.#build();
    if (words) this.describe(words);
    if (this.shown) this.show(this.shown, this.marks);
    if (this.offered) this.offer(this.offered.offers, this.offered.onPick);
  }

  // --- seeds

  #pile(place) {
    if (!this.piles.has(place)) this.piles.set(place, []);
    return this.piles.get(place);
  }

  /** Bring every pile to its size, with seeds from piles that have too many. */
  #deal(board) {
    const wanted = [...board.pits.entries(), ["store0", board.stores[0]], ["store1", board.stores[1]], [HAND, board.hand]];
    const spare = [];
    for (const [place, count] of wanted) spare.push(...this.#pile(place).splice(count));
    for (const [place, count] of wanted) {
      const pile = this.#pile(place);
      while (pile.length < count) pile.push(spare.pop() ?? this.#newSeed(this.#middleOf(place)));
    }
    for (const seed of spare) seed.node.remove();
  }

  #newSeed({ x, y }) {
    const number = this.parts.seeds.childElementCount;
    const size = this.layout.radius * 0.225;
    const node = draw(this.parts.seeds, "ellipse", {
      rx: size, ry: size * 0.8, class: "seed", fill: `url(#${this.parts.id}-${KINDS[(number * 7) % 3]})`,
    });
    return { node, x, y, turn: 0, isNew: true };
  }

  #carry(from, to, most) {
    const pile = this.#pile(from);
    const carried = pile.splice(Math.max(0, pile.length - most));
    this.#pile(to).push(...carried);
    for (const seed of carried) seed.flies = true;
  }

  /** Put every seed of a pile where it belongs. */
  #settle(place, ms) {
    const pile = this.#pile(place);
    const middle = this.#middleOf(place);
    const size = this.#spreadOf(place);
    const layer = place === HAND ? this.parts.hand.seeds : this.parts.seeds;
    pile.forEach((seed, index) => {
      const spot = this.#spot(place, index, pile.length);
      const to = { x: middle.x + spot.x * size.x, y: middle.y + spot.y * size.y, turn: spot.turn };
      if (seed.node.parentNode !== layer) layer.append(seed.node);
      seed.node.classList.toggle("seed--buried", index >= MOST_DRAWN);
      this.#moveSeed(seed, to, ms);
    });
  }

  #spot(place, index, count) {
    if (place === HAND) return inHand(index, count);
    return typeof place === "number" ? inPit(place, index, count) : inStore(Number(place.at(-1)), index);
  }

  #moveSeed(seed, to, ms) {
    const from = { x: seed.x, y: seed.y, turn: seed.turn };
    const flies = seed.flies;
    Object.assign(seed, to, { flies: false });
    if (!seed.isNew && from.x === to.x && from.y === to.y && from.turn === to.turn) return;
    seed.node.setAttribute("transform", `translate(${round(to.x)} ${round(to.y)}) rotate(${to.turn})`);
    const glides = ms > SHORTEST_GLIDE_MS && !still.matches && !seed.isNew;
    seed.isNew = false;
    if (!glides) return;
    const frames = [css(from), css(to)];
    if (flies) {
      const lift = Math.min(this.layout.pitch * 0.3, Math.hypot(to.x - from.x, to.y - from.y) * 0.2);
      frames.splice(1, 0, css({ x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 - lift, turn: to.turn }));
    }
    seed.node.animate(frames, { duration: ms, easing: "ease-in-out" });
  }

  #middleOf(place) {
    if (place === HAND) return this.handAt;
    if (typeof place === "number") return this.layout.pits.get(place);
    return this.parts.stores[Number(place.at(-1))]?.middle ?? { x: 0, y: 0 };
  }

  #spreadOf(place) {
    const { radius } = this.layout;
    if (typeof place === "number" || place === HAND) return { x: radius, y: radius };
    return this.parts.stores[Number(place.at(-1))]?.spread ?? { x: 0, y: 0 };
  }

  /** Where the hand is while it sows a pit: beside it, towards the middle of the board. */
  #overPit(place) {
    const pit = this.layout.pits.get(place);
    const towards = (pit.side ? 1 : -1) * this.layout.pitch * 0.5;
    return this.layout.isUpright ? { x: pit.x - towards, y: pit.y } : { x: pit.x, y: pit.y + towards };
  }

  /** Keep a pit in sight on a board that is wider than its place. */
  #follow(place) {
    const { host, layout } = this;
    if (layout.width <= host.clientWidth) return;
    const { x } = layout.pits.get(place);
    const isSeen = x > host.scrollLeft + layout.pitch && x < host.scrollLeft + host.clientWidth - layout.pitch;
    if (!isSeen) host.scrollTo({ left: x - host.clientWidth / 2, behavior: still.matches ? "auto" : "smooth" });
  }

  // --- numbers and marks

  #write(board, ms = 0) {
    board.pits.forEach((seeds, place) => write(this.parts.pits.get(place).count, seeds));
    this.parts.stores.forEach((store, side) => write(store.count, board.stores[side]));
    const { group, palm, count } = this.parts.hand;
    const moves = ms > SHORTEST_GLIDE_MS && !still.matches && group.getAttribute("visibility") === "visible";
    group.setAttribute("visibility", board.hand ? "visible" : "hidden");
    count.textContent = board.hand || "";
    const from = this.palmAt ?? this.handAt;
    for (const part of [palm, count]) {
      part.setAttribute("transform", `translate(${round(this.handAt.x)} ${round(this.handAt.y)})`);
      if (moves) part.animate([css(from), css(this.handAt)], { duration: ms, easing: "ease-in-out" });
    }
    this.palmAt = this.handAt;
  }

  #mark(marks) {
    for (const [place, { group }] of this.parts.pits) {
      group.classList.toggle("pit--from", marks?.from === place);
      group.classList.toggle("pit--last", marks?.last === place);
      group.classList.toggle("pit--taken", marks?.taken.has(place) ?? false);
    }
  }

  #glow({ kind, pit, side }, ms) {
    if (still.matches || ms <= 8) return;
    const isCapture = kind === "capture" || kind === "take" || kind === "strip";
    const rings = [this.parts.pits.get(pit)?.ring];
    if (kind === "capture" || kind === "strip") rings.push(this.parts.stores[side]?.ring);
    for (const ring of rings.filter(Boolean)) {
      ring.classList.toggle("pit-glow--capture", isCapture);
      ring.animate([{ opacity: isCapture ? 1 : 0.75 }, { opacity: 0 }], {
        duration: Math.max(350, ms * (isCapture ? 4 : 3)), easing: "ease-out",
      });
    }
  }

  #offerPit(place, words, onPick) {
    const { x, y } = this.layout.pits.get(place);
    const hit = draw(this.parts.hits, "circle", {
      cx: x, cy: y, r: this.layout.pitch / 2, class: "hit", tabindex: 0, role: "button", "aria-label": words,
      "data-hit": place,
    });
    hit.addEventListener("click", () => onPick(place, hit));
    hit.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      onPick(place, hit);
    });
  }
}

function write(text, seeds) {
  if (text.textContent === String(seeds)) return;
  text.textContent = seeds;
  text.classList.toggle("count--none", seeds === 0);
}

function css({ x, y, turn = 0 }) {
  return { transform: `translate(${round(x)}px, ${round(y)}px) rotate(${turn}deg)` };
}

function round(number) {
  return Math.round(number * 10) / 10;
}
