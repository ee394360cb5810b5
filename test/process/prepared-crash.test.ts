// Prepared answers after a crash: the server is killed again and again, after changes of all kinds. Its files may contain
// anything by then, but every answer shows all changes that were acknowledged.
import { expect, test } from "vitest";
import { toForm } from "#test/callers/uploads.js";
import { zip } from "#test/files/archives.js";
import { anyPort, type RunningServer, startServer, useProcesses } from "./program.js";

useProcesses();

const account = {
  MODSHELF_ADMIN_USER: "author",
  MODSHELF_ADMIN_EMAIL: "author@example.org",
  MODSHELF_ADMIN_PASSWORD: "a long enough password",
};
const slugs = ["first", "second", "third"];

test("answers are right after a SIGKILL, whether or not their files were complete", async () => {
  let server = await startServer({ settings: { ...anyPort, ...account } });
  const signIn = { email: "author", password: account.MODSHELF_ADMIN_PASSWORD };
  const cookie = (await server.anyone.post("/api/auth/signin/credential", signIn)).headers.get("set-cookie")!;
  for (const slug of slugs) {
    const project = { name: slug, slug, type: ["mod"], visibility: "listed", summary: "x" };
    expect(await server.withCookie(cookie).post("/api/project", project)).toSucceed();
    const approved = await server.withCookie(cookie).post(`/api/moderation/project/${slug}`, { status: "approved" });
    expect(approved).toSucceed();
  }
  for (const [round, slug] of slugs.entries()) {
    const author = server.withCookie(cookie);
    for (const change of ["read", "unread"]) {
      const form = toForm({
        versionNumber: `${round}.${change}`,
        gameVersions: ["0.4.8"],
        primaryFile: { name: "file.jar", bytes: zip([{ name: "id.txt", content: `${round} ${change}` }]) },
      });
      expect(await author.call("POST", `/api/project/${slug}/version`, { body: form })).toSucceed();
      if (change === "read") await expectCurrent(server, cookie);
    }
    // The first time the files are completed before, so that the second server begins with them.
    if (round === 0) await server.stop();
    else await server.kill();
    server = await server.restart();
    await expectCurrent(server, cookie);
  }
});

/** A signed-in caller gets the same from the database. */
async function expectCurrent(server: RunningServer, cookie: string): Promise<void> {
  const author = server.withCookie(cookie);
  for (const slug of slugs) {
    const { data } = (await author.get(`/api/project/${slug}/version`)).body;
    expect((await server.anyone.get(`/api/project/${slug}/version`)).body.data).toEqual(data);
    const hashes = data.map((version: { primaryFile: { sha512_hash: string } }) => version.primaryFile.sha512_hash);
    if (hashes.length === 0) continue;
    const found = (await server.anyone.post("/api/version-files", { hashes })).body;
    expect(Object.keys(found)).toEqual(hashes);
  }
}
