// Log lines as people at a terminal see them.
import { expect, test } from "vitest";
import { createLog } from "#platform/http/log-lines.js";
import { terminalLines, toTerminalLine } from "./terminal-log.js";

const time = "2026-11-15T09:30:01.123Z";
// biome-ignore lint/suspicious/noControlCharactersInRegex: the colours are what is taken away
const plain = (line: string) => line.replace(/\u001b\[\d+m/g, "");

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  let text = "";
  write(createLog("trace", terminalLines({ write: (line) => (text += line) })));
  return plain(text);
}

test("a line is the time, the message and its details", () => {
  const line = toTerminalLine(
    JSON.stringify({ level: 30, time, reqId: "x", route: "/api/user/:ref", ms: 3, msg: "request" }),
  );
  expect(plain(line)).toBe("09:30:01  request  route=/api/user/:ref ms=3");
});

test("warnings and errors are marked, and an error comes with its stack", () => {
  expect(plain(toTerminalLine(JSON.stringify({ level: 40, time, msg: "careful" })))).toBe("09:30:01  warn careful");
  const text = logged((log) => log.error({ err: new Error("the reason") }, "It failed"));
  expect(text).toMatch(/^\d\d:\d\d:\d\d {2}error It failed\nError: the reason\n {4}at /);
});

test("external text cannot control the terminal", () => {
  const hostile = "\u001b[2Jgone\u0007\u009b31m\r";
  const text = logged((log) => log.warn({ name: hostile, list: [hostile], err: new Error(hostile) }, hostile));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(text.replace(/\n/g, "")).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
  expect(text).toContain("gone");
});

test("secrets stay hidden and the code of an error stays readable", () => {
  const error = Object.assign(new Error("no route"), { code: "EHOSTUNREACH", password: "hunter2" });
  let json = "";
  createLog("info", { write: (line) => (json += line) }).info(
    { err: error, code: "msc_x", user: { token: "msp_x" } },
    "x",
  );
  expect(JSON.parse(json)).toMatchObject({ err: { errorCode: "EHOSTUNREACH" }, code: "[secret]" });
  expect(json).not.toMatch(/hunter2|msc_x|msp_x/);
});
