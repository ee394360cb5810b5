// Pseudo-random numbers for generated data and traffic. The same seed always gives the same numbers.

/** A small generator (mulberry32). */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A seed from several numbers: neighbouring numbers give unrelated seeds. */
export function mixed(...numbers) {
  let hash = 0x811c9dc5;
  for (const number of numbers) {
    hash = Math.imul(hash ^ number, 0x85ebca6b);
    hash ^= hash >>> 13;
    hash = Math.imul(hash, 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash >>> 0;
}

/** A value with a normal distribution around 0 with a deviation of 1 (Box and Muller). */
export const normal = (random) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** A log-normal value: half of all values are below `median`, and none is above `most`. */
export const logNormal = (random, { median, sigma, least = 0, most }) =>
  Math.max(least, Math.min(most, Math.round(median * Math.exp(sigma * normal(random)))));

/** 0, 1, 2 …: each further step has the probability `more`. */
export function geometric(random, more, most) {
  let value = 0;
  while (value < most && random() < more) value++;
  return value;
}

export const below = (random, limit) => Math.floor(random() * limit);
export const pick = (random, list) => list[Math.floor(random() * list.length)];

/** Chooses one of [share, value] pairs; the shares add up to 1. */
export function choose(random, shares) {
  let rest = random();
  for (const [share, value] of shares) {
    rest -= share;
    if (rest < 0) return value;
  }
  return shares.at(-1)[1];
}

/** Numbers below `count`: number n is as frequent as 1 / (n + 1) ** exponent (Zipf). */
export function zipf(count, exponent) {
  const sums = new Float64Array(count);
  let sum = 0;
  for (let n = 0; n < count; n++) {
    sum += 1 / (n + 1) ** exponent;
    sums[n] = sum;
  }
  const rank = inverse(sums);
  return (random) => rank(random() * sum);
}

/**
 * Returns a function that finds the first of the rising sums that is not below a value. A table of starting points makes
 * most searches a few steps long.
 */
export function inverse(sums) {
  const last = sums.length - 1;
  const scale = sums.length / sums[last];
  const starts = new Uint32Array(sums.length + 2);
  for (let n = 0, place = 0; place < starts.length; place++) {
    while (n < last && sums[n] < place / scale) n++;
    starts[place] = n;
  }
  return (at) => {
    const place = Math.min(last, Math.floor(at * scale));
    // One step more on both sides, because the division above may have been rounded.
    let low = Math.max(0, starts[place] - 1);
    let high = Math.min(last, starts[place + 1] + 1);
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle] < at) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

/** All numbers below `count` in random order. */
export function shuffled(random, count) {
  const list = Uint32Array.from({ length: count }, (_, n) => n);
  for (let n = count - 1; n > 0; n--) {
    const other = below(random, n + 1);
    [list[n], list[other]] = [list[other], list[n]];
  }
  return list;
}
