// Requests with only the named headers, like launchers: fetch adds others.
import { request } from "node:http";
import type { Reply } from "#test/callers/actors.js";

export function plainCall(
  origin: string,
  method: "GET" | "POST",
  path: string,
  headers: Record<string, string>,
  body?: string | Buffer,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const call = request(`${origin}${path}`, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => {
        const bytes = Buffer.concat(chunks);
        const pairs = Object.entries(response.headers).map(
          ([name, value]) => [name, String(value)] as [string, string],
        );
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(pairs),
          bytes,
          text: bytes.toString("utf8"),
          body: undefined,
        });
      });
    });
    call.on("error", reject);
    call.end(body);
  });
}

/** The parts of an answer that must be equal for two identical requests. */
export const essence = ({ status, headers, bytes }: Reply) => ({
  status,
  bytes: bytes.toString("base64"),
  headers: Object.fromEntries(
    [...headers].filter(([name]) => !["date", "x-request-id", "keep-alive", "connection"].includes(name)).sort(),
  ),
});
