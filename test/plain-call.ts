// Requests with the headers that are named and no others, as launchers send them: fetch adds some of its own.
import { request } from "node:http";
import type { Reply } from "./actors.js";

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

/** What two answers to the same question must have in common. */
export const essence = ({ status, headers, bytes }: Reply) => ({
  status,
  bytes: bytes.toString("base64"),
  headers: Object.fromEntries(
    [...headers].filter(([name]) => !["date", "x-request-id", "keep-alive", "connection"].includes(name)).sort(),
  ),
});
