// The shapes of default pictures as SVG, one kind per kind of owner, on a canvas from -1 to 1, without colors.

/** Returns the next number of a fixed sequence, from 0 up to but not including `below`. */
export type Draw = (below: number) => number;

/** SVG elements. The tile is at the bottom, then the soft ones, then the strong ones. */
export interface Mark {
  tile: string;
  soft: string[];
  strong: string[];
}

const rect = (x: number, y: number, width: number, height: number, radius: number): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}"/>`;
const line = (path: string, width: number): string => `<path d="${path}" stroke-width="${width}"/>`;

const roundTile = '<circle r="1"/>';
const squareTile = rect(-1, -1, 2, 2, 0.42);

/** A user: a mirrored pattern of five by five dots. Neighbors are joined, single dots are soft. */
export function userMark(draw: Draw): Mark {
  const step = 0.26;
  const places = Array.from({ length: 15 }, (_, place) => place);
  // 8 of the 15 places of one half, the middle column included: never too empty, never too full.
  const filled = new Set(Array.from({ length: 8 }, () => places.splice(draw(places.length), 1)[0]));
  const isFilled = (column: number, row: number) =>
    Math.abs(column - 2) <= 2 && row >= 0 && row < 5 && filled.has((2 - Math.abs(column - 2)) * 5 + row);
  const cells = Array.from({ length: 25 }, (_, at) => [at % 5, Math.floor(at / 5)] as const).filter((cell) =>
    isFilled(...cell),
  );
  const middleRow = (cells[0]![1] + cells.at(-1)![1]) / 2;
  const mark: Mark = { tile: roundTile, soft: [], strong: [] };
  for (const [column, row] of cells) {
    const start = `M${(column - 2) * step} ${(row - middleRow) * step}`;
    const right = isFilled(column + 1, row);
    const below = isFilled(column, row + 1);
    const isSingle = !right && !below && !isFilled(column - 1, row) && !isFilled(column, row - 1);
    const isBlock = right && below && isFilled(column + 1, row + 1);
    const joints = `${right ? `${start}h${step}` : ""}${below ? `${start}v${step}` : ""}`;
    const path = isBlock ? `${start}h${step}v${step}h${-step}z` : joints;
    (isSingle ? mark.soft : mark.strong).push(line(path || `${start}h0`, 0.24));
  }
  return mark;
}

/** An organization: two rings of petals around a common center. */
export function organizationMark(draw: Draw): Mark {
  const count = 4 + draw(5);
  const reach = 0.72;
  const thickness = Math.min(0.19, Math.sin(Math.PI / count) * 0.52 * (0.62 + draw(3) * 0.12));
  const start = 0.2 + draw(3) * 0.13;
  const softReach = reach - draw(3) * 0.1;
  const softThickness = thickness * (0.62 + draw(2) * 0.3);
  const hole = start - thickness;
  // A hole that is too small for a dot would look like a mistake, so it is filled.
  const core = hole > 0.16 ? hole * (0.36 + draw(3) * 0.12) : start;
  return {
    tile: squareTile,
    soft: petals(count, 0.5, start, softReach, softThickness),
    strong: [...petals(count, 0, start, reach, thickness), `<circle r="${core}"/>`],
  };
}

function petals(count: number, shift: number, start: number, reach: number, thickness: number): string[] {
  const end = Math.max(start, reach - thickness);
  return Array.from({ length: count }, (_, petal) => {
    const angle = ((petal + shift) / count) * 2 * Math.PI;
    const [x, y] = [Math.sin(angle), -Math.cos(angle)];
    return line(`M${x * start} ${y * start}L${x * end} ${y * end}`, thickness * 2);
  });
}

/** A project: a pattern of building blocks, mirrored in both directions. */
export function projectMark(draw: Draw): Mark {
  const side = 0.34;
  const mark: Mark = { tile: squareTile, soft: [], strong: [] };
  const softPlaces = [draw(4), draw(4)];
  for (const place of [0, 1, 2, 3]) {
    const block = buildingBlock(draw(6), side / 2 - 0.018);
    const [x, y] = [(0.5 + (place % 2)) * side, (0.5 + Math.floor(place / 2)) * side];
    const copies = ["1 1", "-1 1", "1 -1", "-1 -1"].map(
      (scale) => `<g transform="scale(${scale}) translate(${x} ${y})">${block}</g>`,
    );
    (softPlaces.includes(place) ? mark.soft : mark.strong).push(...copies);
  }
  return mark;
}

/** A square, a disc or a quarter of a disc in one of four directions. */
function buildingBlock(form: number, half: number): string {
  if (form === 0) return rect(-half, -half, 2 * half, 2 * half, 0.05);
  if (form === 1) return `<circle r="${half}"/>`;
  const [x, y] = [form % 2 ? half : -half, form < 4 ? half : -half];
  const sweep = x * y > 0 ? 1 : 0;
  return `<path d="M${x} ${y}H${-x}A${2 * half} ${2 * half} 0 0 ${sweep} ${x} ${-y}z"/>`;
}

/** A collection: books on a shelf. */
export function collectionMark(draw: Draw): Mark {
  const shelfTop = 0.46;
  const gap = 0.035;
  const mark: Mark = { tile: squareTile, soft: [], strong: [rect(-0.72, shelfTop + 0.04, 1.44, 0.1, 0.05)] };
  const widths = [0, 1, 2, 3, 4].map(() => 0.17 + draw(3) * 0.05);
  const softPlaces = [draw(5), draw(5)];
  let left = -widths.reduce((sum, width) => sum + width + gap, -gap) / 2;
  for (const [place, width] of widths.entries()) {
    const height = 0.68 + draw(5) * 0.085;
    // A band across the spine divides the book into two parts.
    const bottom = height * (0.25 + draw(3) * 0.22) - 0.035;
    const books = softPlaces.includes(place) ? mark.soft : mark.strong;
    books.push(rect(left, shelfTop - bottom, width, bottom, 0.045));
    books.push(rect(left, shelfTop - height, width, height - bottom - 0.07, 0.045));
    left += width + gap;
  }
  return mark;
}
