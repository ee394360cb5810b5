// Brings a file of a pack: unpacked from it, or downloaded from the addresses that it names, as far as their hosts are
// allowed, and otherwise from the registry, if that knows the file. Hashes and sizes are always verified.
import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Client, type Fetch, NetworkError, type TransferOptions, type VersionFile } from "modshelf-client";
import { mayCarryToken, toHost } from "#shelf/accounts.js";
import type { Context } from "#shelf/command.js";
import { exitCodes, Failure } from "#shelf/failures.js";
import { find } from "#shelf/folder/files.js";
import { usable } from "#shelf/folder/survey.js";
import { type Algorithm, digest, type Hashes, type PackFile } from "./pack.js";

/** The hosts that the format .mrpack allows. */
const usualHosts = ["cdn.modrinth.com", "github.com", "raw.githubusercontent.com", "gitlab.com"];
/** Where these hosts keep their files. A pack cannot name them, but may be redirected there. */
const storage = /^(?:[\w-]+\.githubusercontent\.com|[\w-]+\.artifacts\.gitlab-static\.net)$/;
/** Where a pack does not name the size. */
const maxUnknownBytes = 1 << 30;
const attempts = 3;

export class Fetcher {
  readonly #connect: Context["connect"];
  readonly #registry: Client | undefined;
  readonly #origins: ReadonlySet<string>;

  constructor({ connect }: Pick<Context, "connect">, registry: Client | undefined, more: readonly string[]) {
    this.#connect = connect;
    this.#registry = registry;
    this.#origins = new Set([
      ...usualHosts.map((host) => `https://${host}`),
      ...(registry ? [registry.transport.origin] : []),
      ...more.map(toOrigin),
    ]);
  }

  /** Fails if one of the files cannot come from anywhere. */
  async check(files: readonly PackFile[], signal: AbortSignal): Promise<void> {
    const strange = files.filter(({ read, urls }) => !read && !urls.some((url) => this.#isAllowed(url)));
    const known = await this.#findInRegistry(strange, signal);
    for (const file of strange.filter((one) => !known.has(one))) {
      const [first] = file.urls;
      if (first === undefined)
        throw new Failure(`The pack does not say where ${file.path} comes from.`, { code: "noAddress" });
      const { protocol, origin, host } = new URL(first);
      throw new Failure(`${file.path} would come from ${origin}, and packs may not download from there.`, {
        advice:
          protocol === "https:"
            ? `If you trust that host, add: --allow-host ${host}`
            : "Only addresses with https:// are used, because others could replace the file on the way.",
        code: "unknownHost",
      });
    }
  }

  async bring(file: PackFile, path: string, { onProgress, signal }: TransferOptions): Promise<string> {
    const read = file.read;
    if (read) return this.#store(file, path, read(), onProgress);
    const algorithms = Object.keys(file.hashes) as Algorithm[];
    if (find(path)?.isFile()) {
      const present = await digest(createReadStream(path), [...algorithms, "sha512"]);
      if (isRight(file.hashes, present.hashes)) return present.hashes.sha512!;
    }
    const failures: unknown[] = [];
    for (const url of file.urls.filter((url) => this.#isAllowed(url))) {
      try {
        return await this.#download(file, url, path, { onProgress, signal });
      } catch (error) {
        if (signal?.aborted || isOfSystem(error)) throw error;
        failures.push(error);
      }
    }
    // If the registry cannot be asked either, the first failure says more.
    const known = (await this.#findInRegistry([file], signal).catch(() => undefined))?.get(file);
    if (known && !file.urls.includes(known)) return this.#download(file, known, path, { onProgress, signal }, true);
    throw failures[0] ?? new Failure(`There is no address to download ${file.path} from.`, { code: "noAddress" });
  }

  #isAllowed(url: string): boolean {
    return URL.canParse(url) && this.#origins.has(new URL(url).origin);
  }

  /** The addresses of files that the registry knows by their hashes. */
  async #findInRegistry(files: readonly PackFile[], signal?: AbortSignal): Promise<Map<PackFile, string>> {
    const found = new Map<PackFile, string>();
    for (const algorithm of ["sha512", "sha1"] as const) {
      const asked = files.filter((file) => file.hashes[algorithm] && !found.has(file));
      if (!this.#registry || asked.length === 0) continue;
      const hashes = asked.map((file) => file.hashes[algorithm]!);
      const versions = await this.#registry.files.identify(hashes, { algorithm, signal });
      usable(() => {
        for (const [n, file] of asked.entries()) {
          const isIt = (one: VersionFile) => one[`${algorithm}_hash`]?.toLowerCase() === hashes[n];
          const url = versions[hashes[n]!]?.files.find(isIt)?.url;
          if (url) found.set(file, url);
        }
      });
    }
    return found;
  }

  async #download(
    file: PackFile,
    url: string,
    path: string,
    { onProgress, signal }: TransferOptions,
    isOfRegistry = false,
  ): Promise<string> {
    const { origin } = new URL(url);
    let refused: string | undefined;
    const isOurs = isOfRegistry || origin === this.#registry?.transport.origin;
    const guarded: Fetch = async (target, init) => {
      const to = new URL(target);
      const isStorage = to.protocol === "https:" && to.port === "" && storage.test(to.hostname);
      if (isStorage || this.#isAllowed(to.href)) return fetch(target, init);
      refused = to.origin;
      return new Response(null, { status: 421 });
    };
    const client = isOurs ? this.#registry! : this.#connect(origin, undefined, guarded);
    for (let attempt = 1; ; attempt++)
      try {
        const request = { method: "GET", target: url, isRepeatable: true, isFile: true, signal };
        const answer = await client.transport.send(request);
        return await this.#store(file, path, answer.chunks(), onProgress);
      } catch (error) {
        if (refused)
          throw new Failure(`${origin} redirects ${file.path} to ${refused}, and packs may not download from there.`, {
            advice: `If you trust that host, add: --allow-host ${refused}`,
            code: "unknownHost",
          });
        if (!(error instanceof NetworkError) || attempt >= attempts) throw error;
        await client.transport.pause(attempt, signal);
      }
  }

  /** Writes the bytes to the disk under another name until they are proven to be right. */
  async #store(
    { path: name, hashes, size }: PackFile,
    path: string,
    pieces: AsyncIterable<Uint8Array>,
    onProgress: TransferOptions["onProgress"],
  ): Promise<string> {
    const partial = join(dirname(path), `.${randomUUID()}.part`);
    const handle = await open(partial, "wx");
    try {
      const most = size ?? maxUnknownBytes;
      let bytes = 0;
      const written = async function* () {
        for await (const piece of pieces) {
          if (bytes + piece.length > most) throw wrong(name, `is longer than the ${most} bytes that the pack names`);
          for (let done = 0; done < piece.length; )
            done += (await handle.write(piece, done, piece.length - done, bytes + done)).bytesWritten;
          bytes += piece.length;
          onProgress?.({ bytes, total: size ?? bytes });
          yield piece;
        }
      };
      const found = await digest(written(), [...(Object.keys(hashes) as Algorithm[]), "sha512"]);
      if (size !== undefined && bytes < size) throw wrong(name, `has ${bytes} in place of ${size} bytes`);
      if (!isRight(hashes, found.hashes)) throw wrong(name, "does not have the hash that the pack names");
      await handle.sync();
      await handle.close();
      await rename(partial, path);
      return found.hashes.sha512!;
    } finally {
      await handle.close().catch(() => undefined);
      await rm(partial, { force: true });
    }
  }
}

/** The origin that --allow-host names. */
function toOrigin(text: string): string {
  const origin = new URL(toHost(text)).origin;
  if (mayCarryToken(origin)) return origin;
  throw new Failure(`${origin} cannot be allowed, because others could replace files on the way.`, {
    advice: "Name a host with https.",
    code: "usage",
  });
}

const isRight = (wanted: Hashes, found: Hashes): boolean =>
  (Object.keys(wanted) as Algorithm[]).every((name) => wanted[name] === found[name]);

const wrong = (path: string, how: string): Failure =>
  new Failure(`${path} ${how}. It was not kept.`, {
    advice: "Try again later, or tell the author of the pack.",
    exitCode: exitCodes.failure,
    code: "integrity",
  });

/** Another address does not help if the disk is full. */
const isOfSystem = (error: unknown): boolean => typeof (error as { errno?: unknown }).errno === "number";
