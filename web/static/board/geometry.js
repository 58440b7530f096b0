// Where everything on a board lies, in pixels.  The rows come from the server (rows_of in arena/services/frames.py);
// a narrow screen turns a long two-row board upright, and lets a board too long for that be scrolled.

const LARGEST_PITCH = 92;
const SMALLEST_PITCH = 30; // below that a board is turned upright or scrolled
const UPRIGHT_PITCHES = [34, 46];
const UPRIGHT_SHARE = 0.64; // of the screen's height
export const DENSE_PITCH = 32; // below that only every fifth pit shows its number
const MOST_UPRIGHT = 16; // columns

/**
 * @param {{rows: number[][], has_stores: boolean}} film
 * @param {number} width of the place the board has
 * @param {number} height of the screen
 */
export function layOut(film, width, height) {
  const columns = film.rows[0].length;
  const stores = film.has_stores ? 2 : 0;
  const fitting = (width - 2 * 10) / (columns + stores * 1.15 + 0.5);
  const isUpright = fitting < SMALLEST_PITCH && columns > 8 && columns <= MOST_UPRIGHT;
  const pitch = isUpright
    ? clamp((height * UPRIGHT_SHARE) / (columns + stores * 1.15 + 0.5), ...UPRIGHT_PITCHES)
    : clamp(fitting, SMALLEST_PITCH, LARGEST_PITCH);
  const flat = flatLayout(film, columns, Math.floor(pitch), isUpright ? 0.66 : 0.22);
  return isUpright ? upright(flat) : flat;
}

function flatLayout(film, columns, pitch, grooveShare) {
  const rows = film.rows.length;
  const half = film.rows.flat().length / 2;
  const margin = 4;
  const frame = Math.round(pitch * 0.28);
  const countSize = clamp(pitch * 0.25, 11, 19);
  const cellHeight = Math.round(pitch + countSize * 1.15);
  const groove = Math.round(pitch * grooveShare); // between the two sides
  const storeWidth = film.has_stores ? Math.round(pitch * 1.15) : 0;
  const left = margin + frame + storeWidth;
  const top = margin + frame;
  const pits = new Map();
  film.rows.forEach((row, number) => {
    const isNorth = number < rows / 2;
    const y = top + number * cellHeight + (isNorth ? 0 : groove);
    row.forEach((place, column) => {
      const x = left + column * pitch + pitch / 2;
      const middle = y + (isNorth ? cellHeight - pitch / 2 : pitch / 2);
      const away = isNorth ? -1 : 1; // from the middle of the board
      pits.set(place, {
        place, side: isNorth ? 1 : 0, number: place % half, x, y: middle,
        count: { x, y: middle + away * (pitch / 2 + countSize * 0.42) },
        label: { x: x - pitch * 0.42, y: middle - away * pitch * 0.43 },
      });
    });
  });
  const width = left + columns * pitch + storeWidth + frame + margin;
  const height = top + rows * cellHeight + groove + frame + margin;
  return {
    isUpright: false, width, height, pitch, countSize, labelSize: clamp(pitch * 0.15, 9, 12), margin,
    radius: pitch * 0.425, pits,
    groove: { x1: left, y1: height / 2, x2: width - left, y2: height / 2 },
    stores: film.has_stores
      ? [store(width - margin - frame * 0.55 - storeWidth, storeWidth, top, height - 2 * top),
         store(margin + frame * 0.55, storeWidth, top, height - 2 * top)]
      : [],
  };
}

function store(x, width, y, height) {
  return { x: x + width * 0.08, y, width: width * 0.84, height };
}

/** The same board turned clockwise by a quarter: South's row reads down the left, North's store is on top. */
function upright(flat) {
  const turn = (point) => ({ ...point, x: flat.height - point.y, y: point.x });
  const pits = new Map();
  for (const [place, pit] of flat.pits) {
    const turned = turn(pit);
    const away = pit.side === 0 ? -1 : 1;
    pits.set(place, {
      ...turned,
      count: { x: turned.x + away * (flat.pitch / 2 + flat.countSize * 0.55), y: turned.y },
      label: { x: turned.x - away * flat.pitch * 0.64, y: turned.y - flat.pitch * 0.22 },
    });
  }
  return {
    ...flat, isUpright: true, width: flat.height, height: flat.width, pits,
    groove: { x1: flat.height / 2, y1: flat.groove.x1, x2: flat.height / 2, y2: flat.groove.x2 },
    stores: flat.stores.map((each) => ({
      x: flat.height - each.y - each.height, y: each.x, width: each.height, height: each.width,
    })),
  };
}

function clamp(value, least, most) {
  return Math.min(most, Math.max(least, value));
}
