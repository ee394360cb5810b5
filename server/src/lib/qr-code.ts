// QR codes (ISO/IEC 18004) of texts up to 271 bytes: byte mode, error correction level L, versions 1 to 10.

const totalCodewords = [26, 44, 70, 100, 134, 172, 196, 242, 292, 346];
const correctionPerBlock = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18];
const blockCounts = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4];
const alignments = [[], [18], [22], [26], [30], [34], [22, 38], [24, 42], [26, 46], [28, 50]];

/** Rows of modules, true where dark; undefined where the text is too long. */
export function qrCodeOf(text: string): boolean[][] | undefined {
  const bytes = new TextEncoder().encode(text);
  const version = totalCodewords.findIndex((_, index) => bytes.length <= capacityOf(index + 1)) + 1;
  if (version === 0) return undefined;
  const codewords = withCorrection(toCodewords(bytes, version), version);
  const drawn = [0, 1, 2, 3, 4, 5, 6, 7].map((mask) => draw(codewords, version, mask));
  const penalties = drawn.map(penaltyOf);
  return drawn[penalties.indexOf(Math.min(...penalties))];
}

const dataCodewords = (version: number): number =>
  totalCodewords[version - 1]! - correctionPerBlock[version - 1]! * blockCounts[version - 1]!;
const countBits = (version: number): number => (version < 10 ? 8 : 16);
const capacityOf = (version: number): number => dataCodewords(version) - (4 + countBits(version)) / 8;

function toCodewords(bytes: Uint8Array, version: number): number[] {
  const bits = [0, 1, 0, 0];
  const push = (value: number, length: number) => {
    for (let bit = length - 1; bit >= 0; bit--) bits.push((value >> bit) & 1);
  };
  push(bytes.length, countBits(version));
  for (const byte of bytes) push(byte, 8);
  const room = dataCodewords(version) * 8;
  push(0, Math.min(4, room - bits.length));
  while (bits.length % 8 !== 0) bits.push(0);
  for (let filler = 0xec; bits.length < room; filler ^= 0xec ^ 0x11) push(filler, 8);
  return Array.from({ length: room / 8 }, (_, at) =>
    bits.slice(at * 8, at * 8 + 8).reduce((sum, bit) => sum * 2 + bit),
  );
}

/** Data and correction of all blocks, a codeword of each in turn. */
function withCorrection(data: number[], version: number): number[] {
  const blockCount = blockCounts[version - 1]!;
  const correctionLength = correctionPerBlock[version - 1]!;
  const shortest = Math.floor(data.length / blockCount);
  const longBlocks = data.length % blockCount;
  const blocks: number[][] = [];
  for (let start = 0, index = 0; index < blockCount; index++) {
    const size = shortest + (index >= blockCount - longBlocks ? 1 : 0);
    blocks.push(data.slice(start, start + size));
    start += size;
  }
  return [...interleave(blocks), ...interleave(blocks.map((block) => correctionOf(block, correctionLength)))];
}

const interleave = (blocks: number[][]): number[] =>
  Array.from({ length: Math.max(...blocks.map((block) => block.length)) }, (_, at) =>
    blocks.flatMap((block) => (at < block.length ? [block[at]!] : [])),
  ).flat();

/** In the field of 256 elements with the polynomial x^8 + x^4 + x^3 + x^2 + 1. */
function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    if ((b >> bit) & 1) product ^= a;
  }
  return product;
}

function divisorOf(degree: number): number[] {
  const result: number[] = [...Array<number>(degree - 1).fill(0), 1];
  for (let root = 1, step = 0; step < degree; step++, root = multiply(root, 2))
    for (let at = 0; at < degree; at++)
      result[at] = multiply(result[at]!, root) ^ (at + 1 < degree ? result[at + 1]! : 0);
  return result;
}

/** Reed-Solomon: the remainder of the data, divided by the product of (x - 2^i). */
export function correctionOf(data: readonly number[], length: number): number[] {
  const divisor = divisorOf(length);
  const result: number[] = Array<number>(divisor.length).fill(0);
  for (const byte of data) {
    const factor = byte ^ result.shift()!;
    result.push(0);
    for (let at = 0; at < divisor.length; at++) result[at]! ^= multiply(divisor[at]!, factor);
  }
  return result;
}

const masks: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

function draw(codewords: readonly number[], version: number, mask: number): boolean[][] {
  const size = version * 4 + 17;
  const dark = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  const isFixed = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  const set = (x: number, y: number, value: boolean) => {
    if (x < 0 || y < 0 || x >= size || y >= size) return;
    dark[y]![x] = value;
    isFixed[y]![x] = true;
  };
  const square = (x: number, y: number, radius: number, isDark: (distance: number) => boolean) => {
    for (let dy = -radius; dy <= radius; dy++)
      for (let dx = -radius; dx <= radius; dx++) set(x + dx, y + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))));
  };

  for (let at = 0; at < size; at++) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    square(x, y, 4, (d) => d !== 2 && d !== 4);
  const centres = [6, ...alignments[version - 1]!];
  for (const x of centres)
    for (const y of centres) {
      const isInCorner = (x === 6 && (y === 6 || y === size - 7)) || (y === 6 && x === size - 7);
      if (centres.length > 1 && !isInCorner) square(x, y, 2, (d) => d !== 1);
    }
  drawFormat(set, size, mask);
  if (version >= 7) drawVersion(set, size, version);
  drawData(codewords, dark, isFixed, masks[mask]!);
  return dark;
}

type SetModule = (x: number, y: number, value: boolean) => void;

/** Level L and the mask, twice, with ten bits of correction. */
function drawFormat(set: SetModule, size: number, mask: number): void {
  const data = (1 << 3) | mask;
  let rest = data;
  for (let step = 0; step < 10; step++) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
  const bits = ((data << 10) | rest) ^ 0x5412;
  const bit = (at: number) => ((bits >> at) & 1) === 1;
  for (let at = 0; at < 6; at++) set(8, at, bit(at));
  set(8, 7, bit(6));
  set(8, 8, bit(7));
  set(7, 8, bit(8));
  for (let at = 9; at < 15; at++) set(14 - at, 8, bit(at));
  for (let at = 0; at < 8; at++) set(size - 1 - at, 8, bit(at));
  for (let at = 8; at < 15; at++) set(8, size - 15 + at, bit(at));
  set(8, size - 8, true);
}

function drawVersion(set: SetModule, size: number, version: number): void {
  let rest = version;
  for (let step = 0; step < 12; step++) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
  const bits = (version << 12) | rest;
  for (let at = 0; at < 18; at++) {
    const value = ((bits >> at) & 1) === 1;
    const [near, far] = [Math.floor(at / 3), size - 11 + (at % 3)];
    set(far, near, value);
    set(near, far, value);
  }
}

/** In columns of two from the right, up and down in turn, around what is fixed. */
function drawData(
  codewords: readonly number[],
  dark: boolean[][],
  isFixed: boolean[][],
  isMasked: (x: number, y: number) => boolean,
): void {
  const size = dark.length;
  let at = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    const isUpward = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step++) {
      const y = isUpward ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (isFixed[y]![x]) continue;
        const bit = at < codewords.length * 8 && ((codewords[at >> 3]! >> (7 - (at & 7))) & 1) === 1;
        dark[y]![x] = bit !== isMasked(x, y);
        at++;
      }
    }
  }
}

/** Long runs, blocks of one colour and an unequal share of dark make it hard to read. */
function penaltyOf(dark: boolean[][]): number {
  const size = dark.length;
  const columns = dark.map((_, x) => dark.map((row) => row[x]!));
  let penalty = 0;
  for (const line of [...dark, ...columns])
    for (let start = 0, at = 1; at <= size; at++)
      if (line[at] !== line[start]) {
        if (at - start >= 5) penalty += at - start - 2;
        start = at;
      }
  for (let y = 1; y < size; y++)
    for (let x = 1; x < size; x++) {
      const value = dark[y]![x];
      if (value === dark[y - 1]![x] && value === dark[y]![x - 1] && value === dark[y - 1]![x - 1]) penalty += 3;
    }
  const share = dark.flat().filter(Boolean).length / (size * size);
  return penalty + Math.floor(Math.abs(share - 0.5) * 20) * 10;
}
