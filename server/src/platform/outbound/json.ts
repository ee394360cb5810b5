// Requests JSON from services that the operator has configured: no redirects, limited time and size. For URLs that
// users configure there is client.ts.
import { version } from "#lib/version.js";

/** Why there was no usable answer. Never quotes the answer. */
export class JsonError extends Error {
  override name = "JsonError";
}

const maxAnswerBytes = 1024 * 1024;

export async function askForJson(url: string, init: RequestInit, timeoutMs: number): Promise<unknown> {
  const text = await askForText(url, init, timeoutMs);
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message would quote the answer.
    throw new JsonError("It answered with invalid JSON");
  }
}

async function askForText(url: string, init: RequestInit, timeoutMs: number): Promise<string> {
  try {
    const response = await fetch(url, {
      ...init,
      headers: { accept: "application/json", "user-agent": `Modshelf/${version}`, ...init.headers },
      // A redirect would carry a secret or our trust to a URL that the operator has not configured.
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const problem = response.status !== 200 ? `status ${response.status}` : isJson(response) ? undefined : "no JSON";
    if (problem === undefined) return await readText(response);
    await response.body?.cancel();
    throw new JsonError(`It answered with ${problem}`);
  } catch (error) {
    if (error instanceof JsonError) throw error;
    throw new JsonError("It could not be reached in time", { cause: error });
  }
}

const isJson = (response: Response): boolean =>
  /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(response.headers.get("content-type") ?? "");

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early closes the connection, so an endless body costs no more than the limit.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxAnswerBytes) throw new JsonError("It answered with more than 1 MiB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
