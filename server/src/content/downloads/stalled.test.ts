import { connect } from "node:net";
import { expect, test } from "vitest";
import { testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp({ patience: { stillMs: 500 } });
const author = await world.make.user();
const openConnections = () =>
  new Promise<number>((resolve) => world.app.http.server.getConnections((_error, count) => resolve(count)));

test.each(["ordinary", "hot"])(
  "a download by the %s path whose client stops reading is cut off, and its file is closed",
  async (which) => {
    const { id, slug } = await makeProject(world, author);
    const version = await makeVersion(world, author, id, { bytes: Buffer.alloc(24_000_000, "x") });
    // From now on the project is prepared, which the hot path needs.
    await world.as.anyone.get(`/api/project/${slug}`);
    const before = await openConnections();
    const socket = connect(Number(new URL(world.origin).port), "127.0.0.1");
    socket.on("error", () => undefined);
    const path =
      which === "hot"
        ? `/cdn/data/project/${id}/version/${version.id}/file-${version.versionNumber}.jar`
        : `/api/project/${slug}/version/${version.id}/primary-file`;
    socket.write(`GET ${path} HTTP/1.1\r\nhost: modshelf.test\r\n\r\n`);
    // The download has started.
    await new Promise((resolve) => socket.once("readable", resolve));
    expect(await openConnections()).toBe(before + 1);
    await expect.poll(openConnections, { timeout: 20_000 }).toBe(before);
    socket.destroy();
  },
);
