// The list of turns beside a board: South's left, North's right, each a button that jumps there.

import { OPENING, SET_UP, SIDES } from "./film.js";

const LONGEST_TEXT = 18; // signs; an arrangement of sixteen pits is longer

export class TurnList {
  /** @param {HTMLOListElement} list @param {(ply: number) => void} onJump */
  constructor(list, onJump) {
    this.list = list;
    this.buttons = [];
    this.current = null;
    list.replaceChildren();
    list.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) onJump(Number(button.dataset.ply));
    });
  }

  /** List the turns from the first one not listed yet. */
  extend(turns) {
    const added = document.createDocumentFragment();
    for (const turn of turns.slice(this.buttons.length)) {
      const item = document.createElement("li");
      item.className = `turn turn--${SIDES[turn.side].toLowerCase()}`;
      item.append(this.#button(turn));
      added.append(item);
    }
    this.list.append(added);
  }

  /** Forget all turns from this one on. */
  cut(length) {
    while (this.buttons.length > length) this.buttons.pop().parentElement.remove();
  }

  /** Mark the turn that led to the board shown; 0 is the start. */
  mark(ply) {
    this.current?.removeAttribute("aria-current");
    this.current = this.buttons[ply - 1] ?? null;
    this.current?.setAttribute("aria-current", "step");
    const item = this.current?.parentElement;
    if (!item) this.list.scrollTop = 0;
    else if (this.list.scrollHeight > this.list.clientHeight) {
      this.list.scrollTop = item.offsetTop - this.list.clientHeight / 2;
    }
  }

  #button(turn) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.ply = turn.ply + 1;
    button.title = titleOf(turn);
    button.append(span("turn-number", turn.ply + 1), span("turn-text", shortened(turn.text)));
    if (turn.captured.some(Boolean)) button.append(span("turn-taken", `+${turn.captured[0] + turn.captured[1]}`));
    if (turn.mark) button.classList.add("turn-drawn");
    this.buttons.push(button);
    return button;
  }
}

function titleOf({ side, text, us, mark }) {
  const about = [`${SIDES[side]}: ${text}`];
  if (mark === OPENING) about.push("opening, drawn by the arena");
  if (mark === SET_UP) about.push("set-up");
  if (us !== null) about.push(timeText(us));
  return about.join(" · ");
}

/** Microseconds as people read them. */
export function timeText(us) {
  if (us >= 1_000_000) return `${(us / 1_000_000).toFixed(2)} s`;
  return us >= 1000 ? `${(us / 1000).toFixed(us >= 10_000 ? 0 : 1)} ms` : `${us} µs`;
}

function shortened(text) {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text;
}

function span(name, text) {
  const element = document.createElement("span");
  element.className = name;
  element.textContent = text;
  return element;
}
