// Where seeds lie: the same pile always looks the same, and a pile that grows by a seed stays as it is until it must
// close up.  Nothing is random, only irregular.

const GOLDEN = 2.399963; // radians, about 137.5 degrees
const TIERS = [3, 6, 11, 20, 40]; // seeds that a spread holds before the pile closes up
export const MOST_DRAWN = 40; // in one place; the number beside it counts on

/** A number from 0 to 1 that depends on nothing but its arguments. */
function scatter(a, b) {
  const wild = Math.sin(a * 127.1 + b * 311.7) * 43758.5453;
  return wild - Math.floor(wild);
}

/**
 * The place of seed `index` of `count` in a round pit, as parts of its radius.
 * @returns {{x: number, y: number, turn: number}}
 */
export function inPit(place, index, count) {
  const tier = TIERS.find((most) => count <= most) ?? TIERS.at(-1);
  const reach = tier === 3 ? 0.4 : tier === 6 ? 0.56 : 0.68;
  const far = Math.sqrt((index + 0.55) / tier) * reach;
  const angle = index * GOLDEN + place * 1.7 + (scatter(place, index) - 0.5) * 0.5;
  const drift = 0.07;
  return {
    x: Math.cos(angle) * far + (scatter(index, place + 3) - 0.5) * drift,
    y: Math.sin(angle) * far + (scatter(index, place + 9) - 0.5) * drift,
    turn: Math.round(scatter(place + 1, index) * 180),
  };
}

/** The place of seed `index` in a store, as parts of half its width and half its height: a heap from the middle out. */
export function inStore(side, index) {
  const far = Math.sqrt((index + 0.5) / MOST_DRAWN) * 0.78;
  const angle = index * GOLDEN + side;
  return { x: Math.cos(angle) * far, y: Math.sin(angle) * far, turn: Math.round(scatter(side + 5, index) * 180) };
}

/** The place of seed `index` in a hand, as parts of a pit's radius. */
export function inHand(index, count) {
  const far = Math.sqrt((index + 0.5) / Math.max(count, 5)) * 0.5;
  const angle = index * GOLDEN;
  return { x: Math.cos(angle) * far, y: Math.sin(angle) * far, turn: Math.round(scatter(7, index) * 180) };
}
