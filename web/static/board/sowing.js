// Shows a turn step by step, at a pace at which even a sowing of hundreds of seeds ends.

import { apply, copy } from "./steps.js";

const STEP_MS = 210;
const LONGEST_TURN_MS = 9000;
const SHORTEST_MS = 16; // faster than this several steps share a frame
const WEIGHT = { lift: 1.5, drop: 1, take: 2, capture: 2.2, strip: 1.2, decide: 1.5 };

/**
 * Carry out steps on a copy of a board and show each.
 * @param {import("../board.js").Board} board
 * @param {{speed: number, signal: AbortSignal, onStep?: (step, lap: number, hand: number) => void}} options
 * @returns {Promise<boolean>} false when it was broken off
 */
export async function sow(board, before, steps, { speed, signal, onStep }) {
  const now = copy(before);
  const weight = steps.reduce((sum, step) => sum + WEIGHT[step.kind], 0);
  const base = Math.min(STEP_MS, LONGEST_TURN_MS / Math.max(1, weight)) / speed;
  let laps = 0;
  let owed = 0;
  for (const step of steps) {
    if (step.kind === "lift" || step.kind === "take") laps += 1;
    apply(now, step);
    const ms = base * WEIGHT[step.kind];
    board.step(step, now, ms);
    onStep?.(step, laps, now.hand);
    owed += ms;
    if (owed < SHORTEST_MS) continue;
    if (!(await pause(owed, signal))) return false;
    owed = 0;
  }
  return true;
}

/** Wait; false when the signal came first. */
export function pause(ms, signal) {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(false);
    const stop = () => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve(true);
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}
