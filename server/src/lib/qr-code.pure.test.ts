// QR codes, read back by a reader that shares nothing with the writer but the standard.
import { describe, expect, test } from "vitest";
import { correctionOf, qrCodeOf } from "./qr-code.js";

/** The fifteen bits for level L and each mask, from the standard's table. */
const formats = [
  "111011111000100",
  "111001011110011",
  "111110110101010",
  "111100010011101",
  "110011000101111",
  "110001100011000",
  "110110001000001",
  "110100101110110",
];
const versionBits: Record<number, string> = {
  7: "000111110010010100",
  8: "001000010110111100",
  9: "001001101010011001",
  10: "001010010011010011",
};
const blocks: Record<number, [number, number]> = { 6: [2, 18], 7: [2, 20], 8: [2, 24], 9: [2, 30], 10: [4, 18] };
const singles: Record<number, number> = { 1: 7, 2: 10, 3: 15, 4: 20, 5: 26 };
const alignments: Record<number, number[]> = {
  1: [],
  2: [6, 18],
  3: [6, 22],
  4: [6, 26],
  5: [6, 30],
  6: [6, 34],
  7: [6, 22, 38],
  8: [6, 24, 42],
  9: [6, 26, 46],
  10: [6, 28, 50],
};

const isMasked = (mask: number, i: number, j: number): boolean =>
  [
    (i + j) % 2,
    i % 2,
    j % 3,
    (i + j) % 3,
    (Math.floor(i / 2) + Math.floor(j / 3)) % 2,
    ((i * j) % 2) + ((i * j) % 3),
    (((i * j) % 2) + ((i * j) % 3)) % 2,
    (((i + j) % 2) + ((i * j) % 3)) % 2,
  ][mask] === 0;

function read(rows: boolean[][]): { text: string; version: number } {
  const size = rows.length;
  const version = (size - 17) / 4;
  const at = (row: number, column: number) => (rows[row]![column] ? 1 : 0);
  const beside = [0, 1, 2, 3, 4, 5, 7, 8].map((column) => at(8, column));
  const above = [7, 5, 4, 3, 2, 1, 0].map((row) => at(row, 8));
  const mask = formats.indexOf([...beside, ...above].join(""));
  expect(mask).toBeGreaterThanOrEqual(0);
  const below = [1, 2, 3, 4, 5, 6, 7].map((step) => at(size - step, 8));
  const right = [8, 7, 6, 5, 4, 3, 2, 1].map((step) => at(8, size - step));
  expect([...below, ...right].join("")).toBe(formats[mask]);
  if (version >= 7) {
    const bits = Array.from({ length: 18 }, (_, bit) => at(Math.floor(bit / 3), size - 11 + (bit % 3)));
    expect(bits.reverse().join("")).toBe(versionBits[version]);
  }
  const isFunction = (row: number, column: number): boolean => {
    if (row === 6 || column === 6) return true;
    if (row < 9 && (column < 9 || column >= size - 8)) return true;
    if (row >= size - 8 && column < 9) return true;
    if (version >= 7 && ((row < 6 && column >= size - 11) || (column < 6 && row >= size - 11))) return true;
    const centres = alignments[version]!;
    const last = size - 7;
    return centres.some((y) =>
      centres.some((x) => {
        const isFinder = (x === 6 && y === 6) || (x === 6 && y === last) || (x === last && y === 6);
        return !isFinder && Math.abs(row - y) <= 2 && Math.abs(column - x) <= 2;
      }),
    );
  };
  const bits: number[] = [];
  let isUp = true;
  for (let column = size - 1; column > 0; column -= 2, isUp = !isUp) {
    if (column === 6) column--;
    for (let step = 0; step < size; step++) {
      const row = isUp ? size - 1 - step : step;
      for (const x of [column, column - 1])
        if (!isFunction(row, x)) bits.push(at(row, x) ^ (isMasked(mask, row, x) ? 1 : 0));
    }
  }
  const words = Array.from({ length: Math.floor(bits.length / 8) }, (_, n) =>
    Number.parseInt(bits.slice(n * 8, n * 8 + 8).join(""), 2),
  );
  return { text: textOf(words, version), version };
}

function textOf(words: number[], version: number): string {
  const [count, correction] = blocks[version] ?? [1, singles[version]!];
  const dataLength = words.length - count * correction;
  const parts: number[][] = Array.from({ length: count }, () => []);
  const isLong = (block: number) => block >= count - (dataLength % count);
  const shortest = Math.floor(dataLength / count);
  let next = 0;
  for (let at = 0; at <= shortest; at++)
    for (let block = 0; block < count; block++) if (at < shortest || isLong(block)) parts[block]!.push(words[next++]!);
  const data = parts.flat();
  const checks: number[][] = Array.from({ length: count }, () => []);
  for (let at = 0; at < correction; at++)
    for (let block = 0; block < count; block++) checks[block]!.push(words[next++]!);
  for (const [index, part] of parts.entries()) expect(correctionOf(part, correction)).toEqual(checks[index]);
  const stream = data.map((word) => word.toString(2).padStart(8, "0")).join("");
  expect(stream.slice(0, 4)).toBe("0100");
  const countBits = version < 10 ? 8 : 16;
  const length = Number.parseInt(stream.slice(4, 4 + countBits), 2);
  const bytes = Array.from({ length }, (_, n) =>
    Number.parseInt(stream.slice(4 + countBits + n * 8, 12 + countBits + n * 8), 2),
  );
  return new TextDecoder().decode(new Uint8Array(bytes));
}

describe("qrCodeOf", () => {
  test("can be read back at every length up to the longest", () => {
    const seen = new Set<number>();
    for (let length = 1; length <= 271; length += 5) {
      const text = Array.from({ length }, (_, at) => String.fromCharCode(33 + ((at * 7 + length) % 90))).join("");
      const { text: found, version } = read(qrCodeOf(text)!);
      expect(found).toBe(text);
      seen.add(version);
    }
    expect([...seen].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const longest = "x".repeat(271);
    expect(read(qrCodeOf(longest)!).text).toBe(longest);
  });

  test("holds every script", () => {
    expect(read(qrCodeOf("otpauth://totp/ж:مرحبا?secret=日本")!).text).toBe("otpauth://totp/ж:مرحبا?secret=日本");
  });

  test("is not made of texts that are too long", () => {
    expect(qrCodeOf("x".repeat(272))).toBeUndefined();
  });

  test("has the three squares in its corners", () => {
    const rows = qrCodeOf("x")!;
    const corner = (y: number, x: number) =>
      rows.slice(y, y + 7).map((row) =>
        row
          .slice(x, x + 7)
          .map(Number)
          .join(""),
      );
    const finder = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"];
    for (const [y, x] of [
      [0, 0],
      [0, rows.length - 7],
      [rows.length - 7, 0],
    ] as const)
      expect(corner(y, x)).toEqual(finder);
  });
});

test("correctionOf gives the codewords of the standard's own example", () => {
  const data = [0x10, 0x20, 0x0c, 0x56, 0x61, 0x80, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11];
  expect(correctionOf(data, 10)).toEqual([0xa5, 0x24, 0xd4, 0xc1, 0xed, 0x36, 0xc7, 0x87, 0x2c, 0x55]);
});
