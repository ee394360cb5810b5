// SHA-512 and SHA-1 of bytes that arrive in pieces. Web Crypto hashes only what is in memory as a whole, so there is an
// implementation for browsers; Node.js, Deno and Bun have their own, which is quicker.

export type Algorithm = "sha512" | "sha1";

export interface Hash {
  update(bytes: Uint8Array): void;
  /** The hash in hex. Ends it. */
  hex(): string;
}

interface NodeCrypto {
  createHash(algorithm: Algorithm): { update(bytes: Uint8Array): unknown; digest(form: "hex"): string };
}

export function createHash(algorithm: Algorithm = "sha512"): Hash {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): NodeCrypto | undefined } };
  const native = process?.getBuiltinModule?.("node:crypto")?.createHash(algorithm);
  if (!native) return createPlainHash(algorithm);
  return { update: (bytes) => void native.update(bytes), hex: () => native.digest("hex") };
}

/** The hash of a file in hex. Reads it piece by piece. */
export async function hashBlob(
  blob: Blob,
  { algorithm = "sha512", signal }: { algorithm?: Algorithm; signal?: AbortSignal | undefined } = {},
): Promise<string> {
  const hash = createHash(algorithm);
  const piece = 1 << 20;
  for (let at = 0; at < blob.size; at += piece) {
    signal?.throwIfAborted();
    hash.update(new Uint8Array(await blob.slice(at, at + piece).arrayBuffer()));
  }
  return hash.hex();
}

/** The implementation for browsers; exported for its test. */
export function createPlainHash(algorithm: Algorithm): Hash {
  const { blockBytes, lengthBytes, start, mix } = algorithm === "sha512" ? sha512() : sha1;
  const state = Int32Array.from(start);
  const block = new Uint8Array(blockBytes);
  const view = new DataView(block.buffer);
  let filled = 0;
  let total = 0;

  const update = (bytes: Uint8Array): void => {
    total += bytes.length;
    for (let at = 0; at < bytes.length; ) {
      const taken = Math.min(blockBytes - filled, bytes.length - at);
      block.set(bytes.subarray(at, at + taken), filled);
      at += taken;
      filled += taken;
      if (filled === blockBytes) {
        mix(state, view);
        filled = 0;
      }
    }
  };

  return {
    update,
    hex() {
      const bits = total * 8;
      const padding = new Uint8Array(blockBytes);
      padding[0] = 0x80;
      const free = blockBytes - lengthBytes;
      update(padding.subarray(0, filled < free ? free - filled : blockBytes + free - filled));
      const length = new DataView(new ArrayBuffer(lengthBytes));
      length.setUint32(lengthBytes - 8, Math.floor(bits / 2 ** 32));
      length.setUint32(lengthBytes - 4, bits >>> 0);
      update(new Uint8Array(length.buffer));
      return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
    },
  };
}

interface Rules {
  blockBytes: number;
  /** The length of the message is the last field of its last block. */
  lengthBytes: number;
  start: ArrayLike<number>;
  mix(state: Int32Array, block: DataView): void;
}

const turn = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));

const sha1: Rules = {
  blockBytes: 64,
  lengthBytes: 8,
  start: [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0],
  mix(state, block) {
    for (let i = 0; i < 80; i++)
      w[i] = i < 16 ? block.getInt32(i * 4) : turn(w[i - 3]! ^ w[i - 8]! ^ w[i - 14]! ^ w[i - 16]!, 1);
    let a = state[0]!;
    let b = state[1]!;
    let c = state[2]!;
    let d = state[3]!;
    let e = state[4]!;
    for (let i = 0; i < 80; i++) {
      const mixed = i < 20 ? (b & c) | (~b & d) : i < 40 || i >= 60 ? b ^ c ^ d : (b & c) | (b & d) | (c & d);
      const next = (turn(a, 5) + mixed + e + w[i]! + sha1Constants[(i / 20) | 0]!) | 0;
      e = d;
      d = c;
      c = turn(b, 30);
      b = a;
      a = next;
    }
    state[0] = (state[0]! + a) | 0;
    state[1] = (state[1]! + b) | 0;
    state[2] = (state[2]! + c) | 0;
    state[3] = (state[3]! + d) | 0;
    state[4] = (state[4]! + e) | 0;
  },
};

const sha1Constants = Int32Array.of(0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6);

let madeSha512: Rules | undefined;

/** Numbers of 64 bits are pairs of numbers of 32 bits, high half first: BigInt would be forty times slower. */
function sha512(): Rules {
  madeSha512 ??= (() => {
    const primes: bigint[] = [];
    for (let n = 2n; primes.length < 80; n++) if (primes.every((prime) => n % prime !== 0n)) primes.push(n);
    const toHalves = (value: bigint) => [Number((value >> 32n) & 0xffffffffn), Number(value & 0xffffffffn)];
    // The constants of the standard: the first 64 bits after the point of cube roots and square roots of primes.
    const k = Int32Array.from(primes.flatMap((prime) => toHalves(root(prime << 192n, 3n))));
    const start = primes.slice(0, 8).flatMap((prime) => toHalves(root(prime << 128n, 2n)));
    return { blockBytes: 128, lengthBytes: 16, start, mix: (state, block) => mixSha512(state, block, k) };
  })();
  return madeSha512;
}

/** The largest integer whose power is not above the value. */
function root(value: bigint, power: bigint): bigint {
  let low = 0n;
  let high = 1n << 80n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** power <= value) low = middle;
    else high = middle;
  }
  return low;
}

const w = new Int32Array(160);
/** The part of a sum of low halves that belongs to the high half. */
const carry = (low: number): number => (low / 0x100000000) | 0;

function mixSha512(state: Int32Array, block: DataView, k: Int32Array): void {
  for (let i = 0; i < 32; i++) w[i] = block.getInt32(i * 4);
  for (let i = 32; i < 160; i += 2) {
    const ah = w[i - 30]!;
    const al = w[i - 29]!;
    const bh = w[i - 4]!;
    const bl = w[i - 3]!;
    const s0h = ((ah >>> 1) | (al << 31)) ^ ((ah >>> 8) | (al << 24)) ^ (ah >>> 7);
    const s0l = ((al >>> 1) | (ah << 31)) ^ ((al >>> 8) | (ah << 24)) ^ ((al >>> 7) | (ah << 25));
    const s1h = ((bh >>> 19) | (bl << 13)) ^ ((bl >>> 29) | (bh << 3)) ^ (bh >>> 6);
    const s1l = ((bl >>> 19) | (bh << 13)) ^ ((bh >>> 29) | (bl << 3)) ^ ((bl >>> 6) | (bh << 26));
    const low = (w[i - 31]! >>> 0) + (s0l >>> 0) + (w[i - 13]! >>> 0) + (s1l >>> 0);
    w[i] = (w[i - 32]! + s0h + w[i - 14]! + s1h + carry(low)) | 0;
    w[i + 1] = low | 0;
  }
  let ah = state[0]!;
  let al = state[1]!;
  let bh = state[2]!;
  let bl = state[3]!;
  let ch = state[4]!;
  let cl = state[5]!;
  let dh = state[6]!;
  let dl = state[7]!;
  let eh = state[8]!;
  let el = state[9]!;
  let fh = state[10]!;
  let fl = state[11]!;
  let gh = state[12]!;
  let gl = state[13]!;
  let hh = state[14]!;
  let hl = state[15]!;
  for (let i = 0; i < 160; i += 2) {
    const s1h = ((eh >>> 14) | (el << 18)) ^ ((eh >>> 18) | (el << 14)) ^ ((el >>> 9) | (eh << 23));
    const s1l = ((el >>> 14) | (eh << 18)) ^ ((el >>> 18) | (eh << 14)) ^ ((eh >>> 9) | (el << 23));
    const chosenL = (el & fl) ^ (~el & gl);
    const low1 = (hl >>> 0) + (s1l >>> 0) + (chosenL >>> 0) + (k[i + 1]! >>> 0) + (w[i + 1]! >>> 0);
    const high1 = (hh + s1h + ((eh & fh) ^ (~eh & gh)) + k[i]! + w[i]! + carry(low1)) | 0;
    const s0h = ((ah >>> 28) | (al << 4)) ^ ((al >>> 2) | (ah << 30)) ^ ((al >>> 7) | (ah << 25));
    const s0l = ((al >>> 28) | (ah << 4)) ^ ((ah >>> 2) | (al << 30)) ^ ((ah >>> 7) | (al << 25));
    const low2 = (s0l >>> 0) + (((al & bl) ^ (al & cl) ^ (bl & cl)) >>> 0);
    const high2 = (s0h + ((ah & bh) ^ (ah & ch) ^ (bh & ch)) + carry(low2)) | 0;
    hh = gh;
    hl = gl;
    gh = fh;
    gl = fl;
    fh = eh;
    fl = el;
    const lowE = (dl >>> 0) + (low1 >>> 0);
    eh = (dh + high1 + carry(lowE)) | 0;
    el = lowE | 0;
    dh = ch;
    dl = cl;
    ch = bh;
    cl = bl;
    bh = ah;
    bl = al;
    const lowA = (low1 >>> 0) + (low2 >>> 0);
    ah = (high1 + high2 + carry(lowA)) | 0;
    al = lowA | 0;
  }
  add(state, 0, ah, al);
  add(state, 2, bh, bl);
  add(state, 4, ch, cl);
  add(state, 6, dh, dl);
  add(state, 8, eh, el);
  add(state, 10, fh, fl);
  add(state, 12, gh, gl);
  add(state, 14, hh, hl);
}

function add(state: Int32Array, at: number, high: number, low: number): void {
  const sum = (state[at + 1]! >>> 0) + (low >>> 0);
  state[at] = (state[at]! + high + carry(sum)) | 0;
  state[at + 1] = sum | 0;
}
