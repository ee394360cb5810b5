// A registry with an author, files to publish, and a proxy in front of it that can break connections.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { Scope } from "#lib/scopes.js";
import { zip } from "#test/files/archives.js";
import { type TestClock, testApp, uniqueName } from "#test/server/harness.js";
import { onFreePort } from "#test/setup/ports.js";
import { makeProject, type ProjectOptions } from "#test/worlds/content.js";
import { type ShelfOptions, shelf } from "./shelf.js";

export const publishingScopes: Scope[] = ["project_read", "version_read", "version_create"];

interface Manifest {
  version?: string | null;
  game?: string | null;
  depends?: Record<string, string>;
  name?: string;
}

/** A mod for Quilt with a manifest of these values. */
export function modBytes(
  { version = "1.0.0", game = ">=0.4.7 <0.4.9", depends = {}, name = "Lamps" }: Manifest = {},
  fill = 0,
): Buffer {
  const all = { ...(game !== null && { "cosmic-reach": game }), ...depends };
  const manifest = {
    schema_version: 1,
    quilt_loader: {
      id: "lamps",
      ...(version !== null && { version }),
      metadata: { name },
      depends: Object.entries(all).map(([id, versions]) => ({ id, versions })),
    },
  };
  return zip([
    { name: "id.txt", content: uniqueName() },
    { name: "quilt.mod.json", content: JSON.stringify(manifest) },
    { name: "fill.bin", content: Buffer.alloc(fill, 7), isStored: true },
  ]);
}

export async function openPublishingWorld(options: { clock?: TestClock; settings?: Record<string, string> } = {}) {
  const { world, url } = await onFreePort(async (port) => {
    const url = `http://127.0.0.1:${port}`;
    return { world: await testApp({ ...options, port, settings: { MODSHELF_URL: url, ...options.settings } }), url };
  });
  const folder = mkdtempSync(join(tmpdir(), "modshelf-publish-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const author = await world.make.user();
  const tokenWith = async (scopes: readonly Scope[], dateExpires?: number) =>
    (await world.make.token(author, { scopes: [...scopes], ...(dateExpires !== undefined && { dateExpires }) })).value;
  const token = await tokenWith(publishingScopes);
  const env = { SHELF_HOST: url, SHELF_TOKEN: token };
  return {
    ...{ world, url, folder, author, token, tokenWith, env },
    project: (options?: ProjectOptions) => makeProject(world, author, options),
    /** Writes a file and returns its path. */
    write: (name: string, content: Buffer | string): string => {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    },
    shelf: (args: readonly string[], options: ShelfOptions = {}) =>
      shelf(args, { ...options, env: { ...env, ...options.env } }),
    numbers: async (ref: string): Promise<string[]> =>
      (await world.as.user(author).get(`/api/project/${ref}/version`)).body.data.map(
        (one: { versionNumber: string }) => one.versionNumber,
      ),
    uploads: async (): Promise<unknown[]> => (await world.as.user(author).get("/api/upload")).body,
  };
}
export type PublishingWorld = Awaited<ReturnType<typeof openPublishingWorld>>;

/** The fate of a request: it passes, its connection breaks, or a page of HTML answers it. */
type Fate = "break" | "html" | undefined;

export interface Proxy {
  url: string;
  /** The requests that reached the proxy, such as "PATCH /api/upload/x". */
  seen: string[];
  /** Before the registry gets the request. */
  before: (what: string) => Fate | Promise<Fate>;
  /** Before the client gets the answer. */
  after: (what: string) => Fate | Promise<Fate>;
}

export async function startProxy(target: string): Promise<Proxy> {
  const apply = (fate: Fate, response: ServerResponse): boolean => {
    if (fate === "break") response.destroy();
    if (fate === "html")
      response.writeHead(200, { "content-type": "text/html" }).end("<title>Sign in to the hotel</title>");
    return fate !== undefined;
  };
  const forward = async (incoming: IncomingMessage, response: ServerResponse) => {
    const what = `${incoming.method} ${incoming.url}`;
    proxy.seen.push(what);
    if (apply(await proxy.before(what), response)) return;
    const outgoing = request(
      target + incoming.url,
      { method: incoming.method, headers: incoming.headers },
      async (answer) => {
        if (apply(await proxy.after(what), response)) return void answer.resume();
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      },
    );
    outgoing.on("error", () => response.destroy());
    incoming.pipe(outgoing);
  };
  const server = createServer((incoming, response) => void forward(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const proxy: Proxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: [],
    before: () => undefined,
    after: () => undefined,
  };
  return proxy;
}
