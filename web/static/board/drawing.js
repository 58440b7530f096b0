// Draws the parts of a board that do not move: slab, pits, stores, numbers.  Colours are classes of board.css.

import { DENSE_PITCH } from "./geometry.js";

const SVG = "http://www.w3.org/2000/svg";
let boards = 0;

/** An SVG element with attributes, appended to its parent. */
export function draw(parent, name, attributes = {}, text = null) {
  const element = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  if (text !== null) element.textContent = text;
  parent?.append(element);
  return element;
}

/** The empty board; what later changes is handed back by name. */
export function drawBoard(layout) {
  const id = `board-${(boards += 1)}`;
  const { width, height } = layout;
  const svg = draw(null, "svg", { class: "board", viewBox: `0 0 ${width} ${height}`, width, height, role: "img" });
  drawPaints(svg, id);
  drawSlab(svg, layout, id);
  const stores = layout.stores.map((store, side) => drawStore(svg, store, side, layout, id));
  const pits = new Map();
  for (const pit of layout.pits.values()) pits.set(pit.place, drawPit(svg, pit, layout, id));
  const seeds = draw(svg, "g", { class: "board-seeds" });
  const hand = drawHand(svg, layout);
  const hits = draw(svg, "g", { class: "board-hits" });
  return { svg, id, pits, stores, seeds, hand, hits };
}

function drawPaints(svg, id) {
  const defs = draw(svg, "defs");
  gradient(defs, "linearGradient", `${id}-wood`, { x1: 0, y1: 0, x2: 0.25, y2: 1 }, ["wood-light", "wood", "wood-dark"]);
  gradient(defs, "radialGradient", `${id}-pit`, { cx: 0.5, cy: 0.3, r: 0.78 }, ["pit-deep", "pit", "pit-low"]);
  for (const kind of ["seed", "seed-sage", "seed-sand"]) {
    gradient(defs, "radialGradient", `${id}-${kind}`, { cx: 0.38, cy: 0.32, r: 0.75 }, [kind, kind, "seed-shade"]);
  }
}

function gradient(defs, name, id, attributes, stops) {
  const element = draw(defs, name, { id, ...attributes });
  stops.forEach((stop, number) => {
    draw(element, "stop", { offset: number / (stops.length - 1), class: `stop-${stop}` });
  });
}

function drawSlab(svg, layout, id) {
  const { width, height, margin, pitch, groove } = layout;
  const box = { x: margin, y: margin, width: width - 2 * margin, height: height - 2 * margin, rx: pitch * 0.36 };
  draw(svg, "rect", { ...box, y: margin + 3, class: "slab-shadow" });
  draw(svg, "rect", { ...box, fill: `url(#${id}-wood)`, class: "slab" });
  drawGrain(draw(svg, "g", { class: "grain" }), layout);
  const inset = pitch * 0.09;
  draw(svg, "rect", {
    x: box.x + inset, y: box.y + inset, width: box.width - 2 * inset, height: box.height - 2 * inset,
    rx: box.rx - inset, class: "slab-edge",
  });
  draw(svg, "line", { ...groove, class: "groove" });
}

/** A few long lines, bent a little, along the board. */
function drawGrain(group, { width, height, margin, isUpright, pitch }) {
  const [long, wide] = isUpright ? [height, width] : [width, height];
  const point = (along, across) => (isUpright ? `${across} ${along}` : `${along} ${across}`);
  const lines = Math.max(5, Math.round(wide / 22));
  for (let line = 1; line < lines; line += 1) {
    const across = margin + ((wide - 2 * margin) * line) / lines;
    const bend = (Math.sin(line * 2.3) * pitch) / 9;
    const from = margin + pitch * 0.35, to = long - margin - pitch * 0.35;
    const third = (to - from) / 3;
    draw(group, "path", {
      d: `M${point(from, across)} C${point(from + third, across + bend)} ${point(to - third, across - bend)} `
        + point(to, across + bend / 3),
    });
  }
}

function drawStore(svg, store, side, layout, id) {
  const { x, y, width, height } = store;
  const round = Math.min(width, height) / 2;
  const group = draw(svg, "g", { class: "store", "data-store": side });
  draw(group, "rect", { x, y: y + 1.5, width, height, rx: round, class: "pit-rim" });
  draw(group, "rect", { x, y, width, height, rx: round, fill: `url(#${id}-pit)`, class: "pit-hole" });
  const ring = draw(group, "rect", { x, y, width, height, rx: round, class: "pit-glow" });
  const size = layout.countSize * 1.15;
  const at = layout.isUpright ? { x: x + width - size * 1.1, y: y + height / 2 } : { x: x + width / 2, y: y + height - size };
  const count = draw(group, "text", { ...at, class: "count count--store", "font-size": size }, "");
  const middle = layout.isUpright
    ? { x: x + (width - size * 1.6) / 2 + size * 0.2, y: y + height / 2 }
    : { x: x + width / 2, y: y + (height - size) / 2 };
  const spread = layout.isUpright
    ? { x: (width - size * 2.2) / 2, y: height / 2 }
    : { x: width / 2, y: (height - size * 1.8) / 2 };
  return { group, ring, count, middle, spread };
}

function drawPit(svg, pit, layout, id) {
  const { x, y } = pit;
  const r = layout.radius;
  const group = draw(svg, "g", { class: `pit pit--${pit.side ? "north" : "south"}`, "data-pit": pit.place });
  draw(group, "circle", { cx: x, cy: y + 1.5, r, class: "pit-rim" });
  draw(group, "circle", { cx: x, cy: y, r, fill: `url(#${id}-pit)`, class: "pit-hole" });
  draw(group, "circle", { cx: x, cy: y, r: r + (layout.pitch < DENSE_PITCH ? 1.2 : 2.5), class: "pit-mark" });
  const ring = draw(group, "circle", { cx: x, cy: y, r: r + 1, class: "pit-glow" });
  const isMinor = !layout.isUpright && layout.pitch < DENSE_PITCH && pit.number % 5 !== 0;
  const kind = isMinor ? "label label--minor" : "label";
  draw(group, "text", { ...pit.label, class: kind, "font-size": layout.labelSize }, pit.number);
  const count = draw(group, "text", { ...pit.count, class: "count", "font-size": layout.countSize }, "");
  return { group, ring, count };
}

function drawHand(svg, layout) {
  const group = draw(svg, "g", { class: "hand", visibility: "hidden" });
  const palm = draw(group, "circle", { r: layout.radius * 0.66, class: "palm" });
  const seeds = draw(group, "g");
  const count = draw(group, "text", { y: -layout.radius * 0.82, class: "count count--hand", "font-size": layout.countSize });
  return { group, palm, seeds, count };
}
