// What default pictures show, one kind of mark for each kind of owner. Geometry only, no colour.
import { box, capsule, difference, disc, intersection, mirrored, type Shape } from "./shapes.js";

/** A tile, and what is drawn on it: first in a soft tone, then in a strong one. */
export interface Mark {
  tile: Shape;
  soft: Shape[];
  strong: Shape[];
}

/** Gives the next number of a fixed sequence, from 0 up to but not including `below`. */
export type Draw = (below: number) => number;

const roundTile = disc(0, 0, 1);
const squareTile = box(0, 0, 1, 1, 0.42);

/** A user: a mirrored pattern of five by five dots; neighbours flow together, single dots stay soft. */
export function userMark(draw: Draw): Mark {
  const step = 0.26;
  const radius = 0.12;
  const isFilled = drawMirroredCells(draw);
  const rows = [0, 1, 2, 3, 4].filter((row) => [0, 1, 2].some((column) => isFilled(column, row)));
  const middleRow = (rows.at(0)! + rows.at(-1)!) / 2;
  const mark: Mark = { tile: roundTile, soft: [], strong: [] };
  for (let column = 0; column < 5; column++) {
    for (const row of rows.filter((row) => isFilled(column, row))) {
      const x = (column - 2) * step;
      const y = (row - middleRow) * step;
      const right = isFilled(column + 1, row);
      const below = isFilled(column, row + 1);
      const isSingle = !right && !below && !isFilled(column - 1, row) && !isFilled(column, row - 1);
      (isSingle ? mark.soft : mark.strong).push(disc(x, y, radius));
      if (right) mark.strong.push(capsule(x, y, x + step, y, radius));
      if (below) mark.strong.push(capsule(x, y, x, y + step, radius));
      const isBlock = right && below && isFilled(column + 1, row + 1);
      if (isBlock) mark.strong.push(box(x + step / 2, y + step / 2, step / 2, step / 2));
    }
  }
  return mark;
}

/** Fills 8 of the 15 places of one half, the middle column included: never too empty, never too full. */
function drawMirroredCells(draw: Draw): (column: number, row: number) => boolean {
  const places = Array.from({ length: 15 }, (_, place) => place);
  const filled = new Set(Array.from({ length: 8 }, () => places.splice(draw(places.length), 1)[0]));
  return (column, row) => {
    if (column < 0 || column > 4 || row < 0 || row > 4) return false;
    return filled.has((2 - Math.abs(column - 2)) * 5 + row);
  };
}

/** An organization: two rings of petals around a common middle. */
export function organizationMark(draw: Draw): Mark {
  const count = 4 + draw(5);
  const reach = 0.72;
  const widest = Math.sin(Math.PI / count) * 0.52;
  const thickness = Math.min(0.19, widest * (0.62 + draw(3) * 0.12));
  const start = 0.2 + draw(3) * 0.13;
  const softReach = reach - draw(3) * 0.1;
  const softThickness = thickness * (0.62 + draw(2) * 0.3);
  const hole = start - thickness;
  // A hole too small for a dot would look like a mistake: it is filled.
  const core = hole > 0.16 ? hole * (0.36 + draw(3) * 0.12) : start;
  return {
    tile: squareTile,
    soft: petals(count, 0.5, start, softReach, softThickness),
    strong: [...petals(count, 0, start, reach, thickness), disc(0, 0, core)],
  };
}

function petals(count: number, shift: number, start: number, reach: number, thickness: number): Shape[] {
  const end = Math.max(start, reach - thickness);
  return Array.from({ length: count }, (_, petal) => {
    const angle = ((petal + shift) / count) * 2 * Math.PI;
    const x = Math.sin(angle);
    const y = -Math.cos(angle);
    return capsule(x * start, y * start, x * end, y * end, thickness);
  });
}

/** A project: a quilt of building blocks, mirrored in both directions. */
export function projectMark(draw: Draw): Mark {
  const side = 0.34;
  const mark: Mark = { tile: squareTile, soft: [], strong: [] };
  const softPlaces = [draw(4), draw(4)];
  for (const place of [0, 1, 2, 3]) {
    const x = (0.5 + (place % 2)) * side;
    const y = (0.5 + Math.floor(place / 2)) * side;
    const block = buildingBlock(draw(6), x, y, side / 2 - 0.018);
    (softPlaces.includes(place) ? mark.soft : mark.strong).push(...mirrored(block));
  }
  return mark;
}

function buildingBlock(form: number, x: number, y: number, half: number): Shape {
  const square = box(x, y, half, half, 0.05);
  if (form === 0) return square;
  if (form === 1) return disc(x, y, half);
  const roundedCorner = disc(x + (form % 2 ? half : -half), y + (form < 4 ? half : -half), half * 2);
  return intersection(square, roundedCorner);
}

/** A collection: books on a shelf. */
export function collectionMark(draw: Draw): Mark {
  const shelfTop = 0.46;
  const gap = 0.035;
  const mark: Mark = { tile: squareTile, soft: [], strong: [box(0, shelfTop + 0.09, 0.72, 0.05, 0.05)] };
  const widths = [0, 1, 2, 3, 4].map(() => 0.17 + draw(3) * 0.05);
  const softPlaces = [draw(5), draw(5)];
  let left = -widths.reduce((sum, width) => sum + width + gap, -gap) / 2;
  for (const [place, width] of widths.entries()) {
    const height = 0.68 + draw(5) * 0.085;
    const x = left + width / 2;
    const book = box(x, shelfTop - height / 2, width / 2, height / 2, 0.045);
    const band = box(x, shelfTop - height * (0.25 + draw(3) * 0.22), width, 0.035);
    (softPlaces.includes(place) ? mark.soft : mark.strong).push(difference(book, band));
    left += width + gap;
  }
  return mark;
}
