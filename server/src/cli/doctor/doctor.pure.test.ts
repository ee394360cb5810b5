// The judgements of the doctor that no test machine can be brought into the state for.
import { describe, expect, test } from "vitest";
import { runChecks } from "#operations/checks/check.js";
import { checkDiskSpace } from "#operations/checkup/machine.js";
import { nameNetworkFileSystem } from "./sqlite.js";

const gibibyte = 2 ** 30;

/** As programs get it: every sentence in English. */
const asSent = (findings: unknown): unknown => JSON.parse(JSON.stringify(findings));

describe("free disk", () => {
  test.each([
    ["a tenth of a large disk", 100 * gibibyte, 1000 * gibibyte, "ok"],
    ["less than a twentieth of a large disk", 49 * gibibyte, 1000 * gibibyte, "warning"],
    ["half of a small disk", 1 * gibibyte, 2 * gibibyte, "warning"],
    ["what a few uploads fill", 255 * 2 ** 20, 1000 * gibibyte, "problem"],
    ["nothing", 0, 0, "problem"],
  ])("%s is judged", (_, free, all, level) => {
    expect(asSent(checkDiskSpace("/data", free, all, 0))).toMatchObject({
      level,
      message: expect.stringContaining("/data"),
    });
  });
});

test("a disk with less room than uploads need is a problem, and the setting is named", () => {
  const finding = checkDiskSpace("/data", 100 * gibibyte, 1000 * gibibyte, 101 * gibibyte);
  expect(asSent(finding)).toMatchObject({ level: "problem", todo: expect.stringContaining("MODSHELF_MIN_FREE_DISK") });
});

test("file systems over a network are recognised, also where their type is reported as a negative number", () => {
  expect(nameNetworkFileSystem(0x6969)).toBe("NFS");
  expect(nameNetworkFileSystem(0xff534d42)).toBe("SMB");
  expect(nameNetworkFileSystem(0xff534d42 | 0)).toBe("SMB");
  const ext4 = 0xef53;
  const tmpfs = 0x01021994;
  expect([ext4, tmpfs, 0].map(nameNetworkFileSystem)).toEqual([undefined, undefined, undefined]);
});

test("a check that breaks is a finding, and the others still run", async () => {
  const broken = () => {
    throw new Error("the disk is on fire");
  };
  const findings = await runChecks(
    [
      { name: "first", find: broken },
      { name: "second", find: async () => ({ level: "ok", message: "fine" }) },
    ],
    undefined,
  );
  expect(asSent(findings)).toEqual([
    expect.objectContaining({ check: "first", level: "problem", message: expect.stringContaining("on fire") }),
    { check: "second", level: "ok", message: "fine" },
  ]);
});
