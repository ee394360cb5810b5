// Downloads of files: the bytes are verified while they arrive, and a broken connection continues where it stopped.
import type { Answer } from "./answers.js";
import { IntegrityError, InvalidAnswerError, NetworkError } from "./errors.js";
import { createHash, type Hash } from "./hash.js";
import type { Transport } from "./transport.js";

/** A file of a version, as the API describes it. */
export interface FileFacts {
  name: string;
  size: number;
  url: string;
  sha512_hash: string;
}

export interface TransferOptions {
  /** Called after each piece. */
  onProgress?: ((progress: Progress) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export interface Progress {
  /** Bytes that were transferred so far. */
  bytes: number;
  /** Size of everything that is transferred. */
  total: number;
}

/** However little each connection brings, a download ends. */
const maxConnections = 50;

/**
 * The bytes of the file. Throws at the end if they are not those that were announced, so they must not be used before.
 * `start` continues an earlier download: the bytes that exist, and their hash.
 */
export async function* verifiedBytes(
  transport: Transport,
  file: FileFacts,
  { onProgress, signal, start }: TransferOptions & { start?: { bytes: number; hash: Hash } } = {},
): AsyncGenerator<Uint8Array> {
  const { size, expected } = checkFacts(file);
  const hash = start?.hash ?? createHash();
  let received = start?.bytes ?? 0;
  let tag: string | undefined;
  let fruitless = 0;
  for (let connections = 1; received < size; connections++) {
    const before = received;
    try {
      const answer = await transport.send({
        method: "GET",
        target: file.url,
        headers: received > 0 ? { Range: `bytes=${received}-`, ...(tag && { "If-Range": tag }) } : {},
        isRepeatable: true,
        isFile: true,
        signal,
      });
      tag ??= strongTag(answer);
      let skipped = toSkip(answer, received, size);
      for await (const chunk of answer.chunks()) {
        const bytes = chunk.subarray(Math.min(skipped, chunk.length));
        skipped -= chunk.length - bytes.length;
        if (received + bytes.length > size)
          throw new IntegrityError(`${file.name} is longer than the ${size} bytes that the registry names.`);
        if (bytes.length === 0) continue;
        hash.update(bytes);
        received += bytes.length;
        onProgress?.({ bytes: received, total: size });
        yield bytes;
        // A server that sends nothing more, but does not close the connection, must not delay the end.
        if (received === size) break;
      }
      if (received < size)
        throw new ShortBody(`The transfer of ${file.name} ended after ${received} of ${size} bytes.`);
    } catch (error) {
      fruitless = received > before ? 1 : fruitless + 1;
      if (!(error instanceof NetworkError)) throw error;
      if (fruitless >= transport.retry.attempts || connections >= maxConnections)
        throw error instanceof ShortBody ? new IntegrityError(error.message) : error;
      await transport.pause(fruitless, signal);
    }
  }
  if (hash.hex() !== expected)
    throw new IntegrityError(`${file.name} does not have the SHA-512 hash that the registry names. It was not kept.`);
}

/** The body ended as if it were complete. */
class ShortBody extends NetworkError {}

export function checkFacts({ name, size, url, sha512_hash }: FileFacts): { size: number; expected: string } {
  const isRight =
    Number.isSafeInteger(size) && size >= 0 && /^[0-9a-f]{128}$/i.test(sha512_hash) && /^https?:\/\//i.test(url);
  if (!isRight)
    throw new InvalidAnswerError(`The registry's description of the file ${JSON.stringify(name)} is not usable.`);
  return { size, expected: sha512_hash.toLowerCase() };
}

const strongTag = ({ response }: Answer): string | undefined => {
  const tag = response.headers.get("etag");
  return tag?.startsWith('"') ? tag : undefined;
};

/** How many bytes of the body are there already: none of a part, all so far of a whole file. */
function toSkip({ response }: Answer, received: number, size: number): number {
  const { status, headers } = response;
  const range = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(headers.get("content-range") ?? "");
  if (status === 206 && Number(range?.[1]) !== received)
    throw new InvalidAnswerError("The server sent another part of the file than the one requested.", status);
  const skipped = status === 206 ? 0 : received;
  const declared = headers.get("content-encoding") ? null : headers.get("content-length");
  if (declared !== null && Number(declared) > size - received + skipped)
    throw new IntegrityError(`The file has ${declared} bytes in place of the ${size} that the registry names.`);
  return skipped;
}

/** The verified bytes as a stream of the web platform. */
export function toStream(bytes: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await bytes.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await bytes.return(undefined);
    },
  });
}
