import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, test, vi } from "vitest";
import { testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp({ patience: { stillMs: 2000 } });
const author = await world.make.user();

test.each(["ordinary", "hot"])(
  "a download by the %s path whose client stops reading is cut off, and its file is closed",
  async (which) => {
    const { id, slug } = await makeProject(world, author);
    const version = await makeVersion(world, author, id, { bytes: Buffer.alloc(24_000_000, "x") });
    // From now on the project is prepared, which the hot path needs.
    await world.as.anyone.get(`/api/project/${slug}`);
    const accepted = once(world.app.http.server, "connection") as Promise<[Socket]>;
    const socket = connect(Number(new URL(world.origin).port), "127.0.0.1");
    socket.on("error", () => undefined);
    const path =
      which === "hot"
        ? `/cdn/data/project/${id}/version/${version.id}/file-${version.versionNumber}.jar`
        : `/api/project/${slug}/version/${version.id}/primary-file`;
    socket.write(`GET ${path} HTTP/1.1\r\nhost: modshelf.test\r\n\r\n`);
    // The download has started.
    await once(socket, "readable");
    expect(String(socket.read(12))).toBe("HTTP/1.1 200");
    const [connection] = await accepted;
    expect(connection.destroyed).toBe(false);
    await expect.poll(() => connection.destroyed).toBe(true);
    socket.destroy();
  },
);

test("a file that is opened after its request was refused is closed", async () => {
  const { id, slug } = await makeProject(world, author);
  const version = await makeVersion(world, author, id, { bytes: Buffer.alloc(1_000_000, "x") });
  const { promise: refused, resolve: goOn } = Promise.withResolvers<void>();
  const blob = { sendTo: vi.fn(), cancel: vi.fn(), length: 1_000_000, size: 1_000_000 };
  vi.spyOn(world.resources.blobs, "openToSend").mockImplementationOnce(async () => {
    await refused;
    return blob;
  });
  const reply = await world.as.anyone.get(`/api/project/${slug}/version/${version.id}/primary-file`);
  expect(reply).toFail(503, "unavailable");
  goOn();
  await expect.poll(() => blob.cancel).toHaveBeenCalledOnce();
  expect(blob.sendTo).not.toHaveBeenCalled();
});
