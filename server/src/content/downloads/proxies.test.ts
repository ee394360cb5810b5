// Downloads that a reverse proxy sends on behalf of the server.
import { join } from "node:path";
import { expect, test } from "vitest";
import { testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";
import { counterOf } from "./counters.js";

test.each(["x-accel-redirect", "x-sendfile"])(
  "with %s the answer names the file and leaves the bytes to the proxy",
  async (how) => {
    const world = await testApp({ settings: { MODSHELF_SENDFILE: how } });
    const { as, make, resources, dataDir } = world;
    const author = await make.user();
    const project = await makeProject(world, author);
    const version = await makeVersion(world, author, project.id);
    const path = `/api/project/${project.id}/version/${version.id}/primary-file`;
    const reply = await as.anyone.get(path);
    const stored = `blobs/${version.sha512.slice(0, 2)}/${version.sha512.slice(2, 4)}/${version.sha512}`;
    const named = how === "x-sendfile" ? join(dataDir, "files", stored) : `/modshelf-files/${stored}`;
    expect([reply.status, reply.headers.get(how), reply.text]).toEqual([200, named, ""]);
    expect(reply.headers.get("content-disposition")).toContain(`file-${version.versionNumber}.jar`);
    expect(reply.headers.get("content-type")).toBe("application/java-archive");
    // The server still checks access and counts.
    await counterOf(resources).flush();
    const row = await resources.db
      .selectFrom("versions")
      .select("downloads")
      .where("id", "=", version.id)
      .executeTakeFirstOrThrow();
    expect(row.downloads).toBe(1);
    const secret = await makeProject(world, author, { visibility: "private" });
    await makeVersion(world, author, secret.id);
    const hidden = await as.anyone.get(`/api/project/${secret.id}/version/latest/primary-file`);
    expect([hidden.status, hidden.headers.get(how)]).toEqual([404, null]);
    await world.stop();
  },
);
