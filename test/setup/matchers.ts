// `expect(reply).toFail(404, "userNotFound")`: checks the status, the code and the form of the refusal.
import { expect } from "vitest";
import type { Reply } from "#test/callers/actors.js";

declare module "vitest" {
  interface Matchers<R, T> {
    toFail(status: number, code?: string): R;
    toSucceed(): R;
  }
}

expect.extend({
  toFail(reply: Reply, status: number, code?: string) {
    const { body } = reply;
    const shapeOk =
      body?.success === false &&
      typeof body.code === "string" &&
      typeof body.message === "string" &&
      typeof body.requestId === "string" &&
      (reply.headers.get("content-type") ?? "").startsWith("application/json");
    const pass = reply.status === status && shapeOk && (code === undefined || body.code === code);
    return { pass, message: () => `expected ${status} ${code ?? ""}, got ${reply.status} ${reply.text.slice(0, 500)}` };
  },
  toSucceed(reply: Reply) {
    return {
      pass: reply.status === 200,
      message: () => `expected 200, got ${reply.status} ${reply.text.slice(0, 500)}`,
    };
  },
});
