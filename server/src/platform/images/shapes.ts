// Plane figures as signed distances (negative inside), drawn with smooth edges on a canvas from -1 to 1.

export interface Shape {
  distance(x: number, y: number): number;
  /** The box outside of which nothing of the shape lies. */
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export function disc(centerX: number, centerY: number, radius: number): Shape {
  return capsule(centerX, centerY, centerX, centerY, radius);
}

/** A thick line with round ends. */
export function capsule(fromX: number, fromY: number, toX: number, toY: number, radius: number): Shape {
  const dx = toX - fromX;
  const dy = toY - fromY;
  const squaredLength = dx * dx + dy * dy || 1;
  return {
    distance(x, y) {
      const along = Math.min(1, Math.max(0, ((x - fromX) * dx + (y - fromY) * dy) / squaredLength));
      return lengthOf(x - fromX - along * dx, y - fromY - along * dy) - radius;
    },
    left: Math.min(fromX, toX) - radius,
    top: Math.min(fromY, toY) - radius,
    right: Math.max(fromX, toX) + radius,
    bottom: Math.max(fromY, toY) + radius,
  };
}

export function box(centerX: number, centerY: number, halfWidth: number, halfHeight: number, radius = 0): Shape {
  return {
    distance(x, y) {
      const dx = Math.abs(x - centerX) - halfWidth + radius;
      const dy = Math.abs(y - centerY) - halfHeight + radius;
      return lengthOf(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - radius;
    },
    left: centerX - halfWidth,
    top: centerY - halfHeight,
    right: centerX + halfWidth,
    bottom: centerY + halfHeight,
  };
}

export function intersection(shape: Shape, other: Shape): Shape {
  return { ...shape, distance: (x, y) => Math.max(shape.distance(x, y), other.distance(x, y)) };
}

export function difference(shape: Shape, cut: Shape): Shape {
  return { ...shape, distance: (x, y) => Math.max(shape.distance(x, y), -cut.distance(x, y)) };
}

/** The shape and its reflections to the left, upwards, and both. */
export function mirrored(shape: Shape): Shape[] {
  const { distance, left, top, right, bottom } = shape;
  return [
    shape,
    { ...shape, distance: (x, y) => distance(-x, y), left: -right, right: -left },
    { ...shape, distance: (x, y) => distance(x, -y), top: -bottom, bottom: -top },
    { distance: (x, y) => distance(-x, -y), left: -right, right: -left, top: -bottom, bottom: -top },
  ];
}

/** How much of each pixel the shapes cover together, from 0 to `full`, row by row. */
export function toCoverage(shapes: readonly Shape[], side: number, full: number): Uint8Array {
  const covered = new Uint8Array(side * side);
  const toPixel = (position: number) => Math.min(side, Math.max(0, ((position + 1) * side) / 2));
  for (const shape of shapes) {
    const lastRow = Math.ceil(toPixel(shape.bottom));
    const lastColumn = Math.ceil(toPixel(shape.right));
    for (let row = Math.floor(toPixel(shape.top)); row < lastRow; row++) {
      for (let column = Math.floor(toPixel(shape.left)); column < lastColumn; column++) {
        const distance = shape.distance(((column + 0.5) * 2) / side - 1, ((row + 0.5) * 2) / side - 1);
        const share = Math.min(1, Math.max(0, 0.5 - (distance * side) / 2));
        const at = row * side + column;
        covered[at] = Math.max(covered[at]!, Math.round(share * full));
      }
    }
  }
  return covered;
}

function lengthOf(x: number, y: number): number {
  return Math.sqrt(x * x + y * y);
}
