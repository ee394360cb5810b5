import { argon2Sync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { Busy } from "#lib/queue.js";
import { systemRandom } from "#lib/random.js";
import { hashPassword, isAcceptablePassword, verifyPassword } from "./passwords.js";

// From the test suite of the reference implementation: password "password", salt "somesalt".
const fromElsewhere = "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4";
const wrong = { ok: false, needsRehash: false };

describe("a password", () => {
  test("is stored as argon2id with its parameters, and is recognized again", async () => {
    const phc = await hashPassword("correct horse", systemRandom);
    expect(phc).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(await verifyPassword(phc, "correct horse")).toEqual({ ok: true, needsRehash: false });
    for (const other of ["correct horsf", "Correct horse", "correct horse ", "correct horse\0", ""]) {
      expect(await verifyPassword(phc, other)).toEqual(wrong);
    }
  });

  test("never has the same hash twice", async () => {
    expect(await hashPassword("correct horse", systemRandom)).not.toBe(
      await hashPassword("correct horse", systemRandom),
    );
  });

  test("is the same however a keyboard composes its letters, but not when characters only look alike", async () => {
    const phc = await hashPassword("caf\u00e9 \u00b2 \u{1f511}\u{1f511}", systemRandom);
    expect((await verifyPassword(phc, "cafe\u0301 \u00b2 \u{1f511}\u{1f511}")).ok).toBe(true);
    expect((await verifyPassword(phc, "caf\u00e9 2 \u{1f511}\u{1f511}")).ok).toBe(false);
  });

  test("counts to its last character", async () => {
    const long = "x".repeat(127);
    const phc = await hashPassword(`${long}a`, systemRandom);
    expect((await verifyPassword(phc, `${long}a`)).ok).toBe(true);
    expect((await verifyPassword(phc, `${long}b`)).ok).toBe(false);
  });

  test("hashed with other parameters works and asks to be hashed again", async () => {
    expect(await verifyPassword(fromElsewhere, "password")).toEqual({ ok: true, needsRehash: true });
    expect(await verifyPassword(fromElsewhere, "passwore")).toEqual(wrong);
  });

  test.each([
    ["1234567", false],
    ["12345678", true],
    ["x".repeat(128), true],
    ["x".repeat(129), false],
    ["\u{1f511}".repeat(8), true],
    ["\u{1f511}".repeat(7), false],
    ["\u{1f511}".repeat(128), true],
    ["e\u0301".repeat(7), false],
    ["1234567\ud800", false],
  ])("with 8 to 128 characters is acceptable (%#)", (password, acceptable) => {
    expect(isAcceptablePassword(password)).toBe(acceptable);
  });
});

describe("the check of a password", () => {
  test("never succeeds for an account that is unknown or has none", async () => {
    for (const password of ["", "password", "\0".repeat(32)])
      expect(await verifyPassword(undefined, password)).toEqual(wrong);
  });

  test.each([
    "",
    "password",
    "$argon2id$",
    "$2b$10$abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZ01234",
    fromElsewhere.replace("argon2id", "argon2i"),
    fromElsewhere.replace("v=19", "v=16"),
    fromElsewhere.replace("m=256", "m=0"),
    fromElsewhere.replace("m=256", "m=7"),
    fromElsewhere.replace("m=256", "m=999999"),
    fromElsewhere.replace("m=256", "m=99999999999"),
    fromElsewhere.replace("t=2", "t=0"),
    fromElsewhere.replace("t=2", "t=99"),
    fromElsewhere.replace("p=1", "p=0"),
    fromElsewhere.replace("p=1", "p=64"),
    fromElsewhere.replace("c29tZXNhbHQ", "c29t"),
    fromElsewhere.replace("c29tZXNhbHQ", ""),
    fromElsewhere.slice(0, fromElsewhere.lastIndexOf("$") + 1),
    fromElsewhere.slice(0, -30),
    `${fromElsewhere}\n`,
    ` ${fromElsewhere}`,
    `${fromElsewhere}$`,
    "$".repeat(100_000),
  ])("fails quietly for a damaged hash (%#)", async (phc) => {
    expect(await verifyPassword(phc, "password")).toEqual(wrong);
  });

  test("does no more than sixteen passes, even for a hash that is right", async () => {
    for (const passes of [16, 17]) {
      const parameters = { message: "password", nonce: "somesalt", parallelism: 1, tagLength: 32, memory: 8, passes };
      const tag = argon2Sync("argon2id", parameters).toString("base64").replace("=", "");
      const { ok } = await verifyPassword(`$argon2id$v=19$m=8,t=${passes},p=1$c29tZXNhbHQ$${tag}`, "password");
      expect(ok).toBe(passes === 16);
    }
  });

  test("costs as much for an unknown account or a hash that asks for too much as for a wrong password", async () => {
    const phc = await hashPassword("correct horse", systemRandom);
    const greedy = fromElsewhere.replace("m=256", "m=999999");
    const work = { wrong: [] as number[], unknown: [] as number[], damaged: [] as number[] };
    for (let run = 0; run < 15; run++) {
      work.wrong.push(await workOf(() => verifyPassword(phc, "battery staple")));
      work.unknown.push(await workOf(() => verifyPassword(undefined, "battery staple")));
      work.damaged.push(await workOf(() => verifyPassword(greedy, "battery staple")));
    }
    for (const other of [work.unknown, work.damaged]) {
      const ratio = median(other) / median(work.wrong);
      expect(ratio).toBeGreaterThan(0.5);
      expect(ratio).toBeLessThan(2);
    }
  });

  test("turns callers away when hundreds wait, rather than let memory and waiting time grow", async () => {
    const checks = Array.from({ length: 210 }, () => verifyPassword(fromElsewhere, "password"));
    const results = await Promise.allSettled(checks);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(202);
    for (const result of results) if (result.status === "rejected") expect(result.reason).toBeInstanceOf(Busy);
  });
});

/** Processor time of all threads, which other processes on the machine hardly change. */
async function workOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
