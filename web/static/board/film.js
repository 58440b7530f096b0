// A game as the server tells it (web/pages/film.py), with the board after every turn worked out from the steps.

import { carriedOut, copy, stepsOf } from "./steps.js";

export const SIDES = ["South", "North"];
export const OPENING = 1;
export const SET_UP = 2;

export class Film {
  constructor(told) {
    this.told = told;
    this.rows = told.rows;
    this.has_stores = told.has_stores;
    this.turns = [];
    this.boards = [{ pits: told.pits, stores: told.stores, hand: 0 }]; // boards[n] lies after n turns
    this.add(told);
  }

  /** Take in more turns, those that follow the ones known. */
  add({ turns }) {
    for (const [side, text, steps, us, mark, putBack] of turns) {
      const before = this.boards.at(-1);
      const opened = stepsOf(steps, side);
      const told = carriedOut(before, opened);
      if (putBack) told.board = { pits: putBack[0], stores: putBack[1], hand: 0 };
      this.turns.push({ ply: this.turns.length, side, text, steps: opened, us, mark, ...told });
      this.boards.push(told.board);
    }
  }

  get known() {
    return this.turns.length;
  }

  /** How many turns the game has, those not loaded yet too. */
  get plies() {
    return this.told.plies ?? this.known;
  }

  board(ply) {
    return copy(this.boards[ply]);
  }

  /** The turn that led to the board after so many turns; undefined at the start. */
  turnTo(ply) {
    return this.turns[ply - 1];
  }

  /** The seeds that count for a side: those it has taken or, where none are taken, those on its half. */
  seedsOf(side, board) {
    if (this.has_stores) return board.stores[side];
    const half = board.pits.length / 2;
    return board.pits.slice(side * half, (side + 1) * half).reduce((sum, seeds) => sum + seeds, 0);
  }
}

/** Load a game; a long one comes in portions, and `onMore` is called after each further one. */
export async function load(address, onMore) {
  const film = new Film(await fetched(address));
  const rest = async () => {
    let next = film.told.next;
    while (next != null) {
      const more = await fetched(`${address}?first=${next}`);
      film.add(more);
      next = more.next;
      onMore();
    }
  };
  return [film, rest];
}

/** The JSON at an address; an error says what the server said. */
export async function fetched(address) {
  const answer = await fetch(address, { headers: { Accept: "application/json" } });
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(told.detail ?? `The server answered ${answer.status}.`);
  return told;
}

/** One sentence on a turn, for everybody and above all for those who cannot see it; without what it led to at first. */
export function sentence(turn, names = SIDES, isDone = true) {
  const made = `${turn.ply + 1}. ${names[turn.side]} ${verb(turn)}`;
  if (!isDone) return `${made} …`;
  const led = turn.laps > 1 ? [`${turn.laps} laps`] : [];
  turn.captured.forEach((seeds, side) => {
    if (seeds) led.push(side === turn.side ? `captures ${seeds}` : `${names[side]} gets ${seeds}`);
  });
  return led.length ? `${made}: ${led.join(", ")}.` : `${made}.`;
}

function verb({ text, mark }) {
  if (mark === SET_UP) return "arranges the seeds";
  return text === "pass" ? "passes" : `plays ${text}`;
}
