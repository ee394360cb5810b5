// The server of the conformance suite: the content host separate from the service, and content created through the
// interface itself.
import { Actor, type Options, type Reply } from "#test/callers/actors.js";
import { zip } from "#test/files/archives.js";
import { type TestApp, testApp, uniqueName } from "#test/server/harness.js";
import { send } from "./wire.js";

export const cdnUrl = "http://content.modshelf.test";

/** `anyone` is a program that sends few headers: such requests take the hot path. */
export async function conformanceWorld(): Promise<TestApp> {
  const world = await testApp({ settings: { MODSHELF_CDN_URL: cdnUrl } });
  return { ...world, as: { ...world.as, anyone: new PlainActor(world.origin) } };
}

class PlainActor extends Actor {
  readonly #origin: string;

  constructor(origin: string) {
    super(origin);
    this.#origin = origin;
  }

  override async call(method: string, path: string, options: Options = {}): Promise<Reply> {
    if (options.body !== undefined) return super.call(method, path, options);
    const json = options.json === undefined ? undefined : Buffer.from(JSON.stringify(options.json));
    const type = json && { "Content-Type": "application/json" };
    const headers = Object.entries({ "User-Agent": "conformance", Accept: "*/*", ...type, ...options.headers });
    const body = json ?? (method === "GET" || method === "HEAD" ? undefined : Buffer.alloc(0));
    const wire = { method, path, headers, ...(body && { body }) };
    const reply = await send(this.#origin, wire);
    // The second request is answered from the cache, and must give the same answer.
    if (method === "GET" && reply.headers.get("cache-control") !== "no-store") {
      const again = await send(this.#origin, wire);
      if (essence(again) !== essence(reply)) throw new Error(`${path} said ${reply.text}, then ${again.text}`);
    }
    return reply;
  }
}

/** Leaves out the unique parts of an answer, and counters that change by themselves. */
const essence = ({ status, text }: Reply): string =>
  `${status} ${text.replace(/"requestId":"\w+"|"downloads":\d+/g, "")}`;

/** A unique archive. */
export const packFile = (name = "pack.zip"): File =>
  toFile(name, zip([{ name: "pack.txt", content: uniqueName("content") }]));

export const toFile = (name: string, bytes: Buffer, type = "application/octet-stream"): File =>
  new File([new Uint8Array(bytes)], name, { type });

/** The body of an answer that must have succeeded. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
export function good({ status, text, body }: Reply): any {
  if (status !== 200) throw new Error(`Expected a good answer, got ${status} ${text}`);
  return body;
}

export interface Made {
  id: string;
  slug: string;
}

export async function createProject(owner: Actor, fields: { type: string[]; [field: string]: unknown }): Promise<Made> {
  const { id, slug } = good(
    await owner.post("/api/project", {
      name: "Conforming project",
      slug: uniqueName("project"),
      visibility: "listed",
      summary: "Made to be looked at",
      ...fields,
    }),
  );
  return { id, slug };
}

export async function uploadVersion(
  author: Actor,
  ref: string,
  parts: Record<string, string | Blob> = {},
  // biome-ignore lint/suspicious/noExplicitAny: the answer is what the tests are about.
): Promise<any> {
  const { data } = good(
    await author.form("POST", `/api/project/${ref}/version`, {
      title: "A version",
      versionNumber: uniqueName("1.0"),
      releaseChannel: "release",
      loaders: "[]",
      gameVersions: JSON.stringify(["0.4.8"]),
      primaryFile: packFile(),
      ...parts,
    }),
  );
  return data;
}

export async function approve(world: TestApp, ref: string): Promise<void> {
  const moderator = world.as.user(await world.make.user({ role: "moderator" }));
  good(await moderator.post(`/api/moderation/project/${ref}`, { status: "approved" }));
}
