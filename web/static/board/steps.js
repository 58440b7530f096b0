// The steps of a turn, opened up.  They come from the engine's trace, written short (arena/services/frames.py);
// nothing here knows a rule.

export const SOUTH = 0;
export const NORTH = 1;

/** @typedef {{pits: number[], stores: number[], hand: number}} Board */
/** @typedef {{kind: "lift"|"drop"|"take"|"capture"|"strip"|"decide", pit: number|null, side: number}} Step */

const TAKERS = { S: ["capture", SOUTH], N: ["capture", NORTH], s: ["strip", SOUTH], n: ["strip", NORTH] };

/** The steps that a turn's text stands for. @returns {Step[]} */
export function stepsOf(text, side) {
  const steps = [];
  for (const word of text.replaceAll("|", " | ").split(" ").filter(Boolean)) {
    if (word === "|") steps.push({ kind: "decide", pit: null, side });
    else if (/^\d/.test(word)) steps.push(...drops(word, side));
    else steps.push(taking(word, side));
  }
  return steps;
}

function drops(word, side) {
  const [from, to = from] = word.split("-").map(Number);
  const way = Math.sign(to - from) || 1;
  const steps = [];
  for (let pit = from; pit !== to + way; pit += way) steps.push({ kind: "drop", pit, side });
  return steps;
}

function taking(word, mover) {
  const pit = word.length > 1 ? Number(word.slice(1)) : null;
  if (word[0] === "L") return { kind: "lift", pit, side: mover };
  if (word[0] === "T") return { kind: "take", pit, side: mover };
  const [kind, side] = TAKERS[word[0]];
  return { kind, pit, side };
}

/** Carry out one step on a board, in place; how many seeds moved. @param {Board} board @param {Step} step */
export function apply(board, step) {
  const { kind, pit, side } = step;
  if (kind === "decide") return 0;
  if (kind === "drop") {
    board.pits[pit] += 1;
    board.hand = Math.max(0, board.hand - 1); // while seeds are arranged they come from nowhere
    return 1;
  }
  const seeds = kind === "strip" ? 1 : pit === null ? board.hand : board.pits[pit];
  if (pit === null) board.hand = 0;
  else board.pits[pit] -= seeds;
  if (kind === "lift" || kind === "take") board.hand += seeds;
  else board.stores[side] += seeds;
  return seeds;
}

export function copy(board) {
  return { pits: [...board.pits], stores: [...board.stores], hand: board.hand };
}

/**
 * What a turn comes to: the board after it, the pits to point out, its laps, and what each side captured.
 * @param {Board} before @param {Step[]} steps
 */
export function carriedOut(before, steps) {
  const board = copy(before);
  const told = { board, from: null, last: null, taken: new Set(), laps: 0, captured: [0, 0] };
  for (const step of steps) {
    const seeds = apply(board, step);
    if (step.kind === "lift") {
      told.laps += 1;
      told.from ??= step.pit;
    } else if (step.kind === "drop") {
      told.last = step.pit;
    } else if (step.kind !== "decide") {
      told.captured[step.side] += seeds;
      if (step.kind === "take") told.laps += 1;
      if (step.pit !== null) told.taken.add(step.pit);
    }
  }
  return told;
}
