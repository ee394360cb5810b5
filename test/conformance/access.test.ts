// Section 5: access, the cookie of a browser session, and the permissions of each kind of scope.
import { describe, expect } from "vitest";
import type { Scope } from "#lib/scopes.js";
import type { Actor, Reply, TestUser } from "#test/callers/actors.js";
import { drawPicture } from "#test/files/pictures.js";
import { uniqueName } from "#test/server/harness.js";
import { conforms } from "./conforms.js";
import { apiScopes } from "./shape-check.js";
import { conformanceWorld, createProject, good, packFile, uploadVersion } from "./world.js";

const { as, make, resources } = await conformanceWorld();
const person = await make.user({ password: "correct horse battery" });
const session = as.user(person);
const others = (...scopes: string[]) => apiScopes.filter((scope) => !scopes.includes(scope)) as Scope[];
const holding = (scopes: readonly Scope[], user: TestUser = person): Promise<Actor> => as.token(user, { scopes });

/** Works with this scope alone, and fails with all scopes except this one. */
async function needsExactly(scope: Scope, act: (actor: Actor) => Promise<Reply>): Promise<void> {
  expect(await act(await holding(others(scope))), scope).toFail(403, "scopeMissing");
  expect(await act(await holding([scope])), scope).toSucceed();
}

describe("credentials", () => {
  conforms(
    {
      "5.required": "Write endpoints and the current-user organization list require authentication.",
      "7.authentication": "an endpoint that requires authentication cannot be used without it",
    },
    async () => {
      const { id, slug } = await createProject(session, { type: ["shader"] });
      const version = await uploadVersion(session, id);
      const before = good(await session.get(`/api/project/${id}`));
      const json = { name: "x", dateExpires: "2099-01-01", authScopes: [] };
      for (const actor of [as.anyone, as.anyone.with({ cookie: "auth-token=mss_nobody" })]) {
        expect(await actor.get("/api/organization")).toFail(401, "signInNeeded");
        expect(await actor.form("PATCH", `/api/project/${slug}/icon`, { icon: await drawPicture() })).toFail(401);
        for (const [method, path] of [
          ["POST", "/api/pat"],
          ["PATCH", "/api/pat/AAAAAAAA"],
          ["DELETE", "/api/pat/AAAAAAAA"],
          ["POST", "/api/project"],
          ["PATCH", `/api/project/${slug}`],
          ["DELETE", `/api/project/${slug}`],
          ["POST", `/api/project/${slug}/version`],
          ["DELETE", `/api/project/${slug}/version/${version.id}`],
          ["POST", "/api/organization"],
          ["PATCH", "/api/user"],
        ] as const)
          expect(await actor.call(method, path, { json }), path).toFail(401, "signInNeeded");
      }
      expect(good(await session.get(`/api/project/${id}`))).toEqual(before);
      expect(await session.get("/api/organization")).toSucceed();
    },
  );

  conforms(
    { "5.cookie": "A browser session is sent in the Cookie header as auth-token=<SESSION_TOKEN>." },
    async () => {
      const signedIn = await as.anyone.post("/api/auth/signin/credential", {
        email: person.email,
        password: person.password,
      });
      const cookie = signedIn.headers.get("set-cookie")!.split(";")[0]!;
      expect(cookie).toMatch(/^auth-token=\w+$/);
      for (const form of [cookie, `theme=dark; ${cookie}`, `${cookie}; theme=dark`])
        expect(good(await as.anyone.get("/api/auth/me", { headers: { cookie: form } })).id).toBe(person.id);
      for (const form of [`session=${cookie.split("=")[1]}`, `Auth-Token=${cookie.split("=")[1]}`, "auth-token="])
        expect(await as.anyone.get("/api/auth/me", { headers: { cookie: form } })).toFail(401, "signInNeeded");
    },
  );
});

describe("the meaning of scopes", () => {
  conforms({ "5.meaning.userRead": "user_read reads public profile data" }, async () => {
    await needsExactly("user_read", (actor) => actor.get("/api/user"));
    const reader = await holding(["user_read"]);
    expect(good(await reader.get("/api/user")).userName).toBe(person.userName);
    expect((await reader.get("/api/auth/me")).text).not.toContain(person.email);
  });

  conforms({ "5.meaning.userReadEmail": "user_read_email reads the own email address" }, async () => {
    const email = async (actor: Actor) => good(await actor.get("/api/auth/me")).email;
    expect(await email(await holding(["user_read", "user_read_email"]))).toBe(person.email);
    expect(await email(await holding(others("user_read_email")))).toBeUndefined();
  });

  conforms({ "5.meaning.userWrite": "user_write updates the own profile" }, async () => {
    await needsExactly("user_write", (actor) => actor.patch("/api/user", { bio: "Changed by a token" }));
    expect(good(await as.anyone.get(`/api/user/${person.id}`)).bio).toBe("Changed by a token");
  });

  conforms({ "5.meaning.userWriteEmail": "user_write_email updates the own email address" }, async () => {
    const user = await make.user({ password: "correct horse battery" });
    const change = { email: `${uniqueName("new")}@example.com`, password: user.password };
    expect(await (await holding(others("user_write_email"), user)).patch("/api/user/email", change)).toFail(403);
    expect(await (await holding(["user_write_email"], user)).patch("/api/user/email", change)).toSucceed();
    expect(good(await as.user(user).get("/api/auth/me")).email).toBe(change.email);
  });

  conforms({ "5.meaning.upload": "version_create uploads versions" }, async () => {
    const { slug } = await createProject(session, { type: ["shader"] });
    await needsExactly("version_create", (actor) =>
      actor.form("POST", `/api/project/${slug}/version`, {
        title: "By token",
        versionNumber: "1.0",
        gameVersions: '["0.4.8"]',
        primaryFile: packFile(),
      }),
    );
    expect(good(await session.get(`/api/project/${slug}/version`)).data).toHaveLength(1);
  });

  conforms({ "5.meaning.others": "the *_create scopes create, *_read read, *_write edit" }, async () => {
    const fields = () => ({ name: "By token", slug: uniqueName("made"), type: ["mod"], summary: "By token" });
    await needsExactly("project_create", (actor) => actor.post("/api/project", fields()));
    await needsExactly("organization_create", (actor) => actor.post("/api/organization", fields()));

    // A draft: only its members can read it.
    const { id } = await createProject(session, { type: ["shader"] });
    const { slug } = await uploadVersion(session, id);
    const org = good(await session.post("/api/organization", fields()));
    await needsExactly("project_write", (actor) => actor.patch(`/api/project/${id}`, { summary: "Edited" }));
    await needsExactly("version_write", (actor) =>
      actor.patch(`/api/project/${id}/version/${slug}`, { title: "Edited" }),
    );
    await needsExactly("organization_write", (actor) =>
      actor.patch(`/api/organization/${org.slug}`, { name: "Edited" }),
    );
    await needsExactly("project_read", (actor) => actor.get("/api/project"));
    await needsExactly("organization_read", (actor) => actor.get("/api/organization"));

    const hidden = [
      ["project_read", `/api/project/${id}`],
      ["version_read", `/api/project/${id}/version/${slug}`],
    ] as const;
    for (const [scope, path] of hidden) {
      expect(await (await holding([scope])).get(path)).toSucceed();
      expect(await (await holding(others(scope))).get(path)).toFail(404);
    }
    expect(good(await session.get(`/api/project/${id}`)).project.summary).toBe("Edited");
  });

  conforms(
    { "5.meaning.marksAndPosts": "notification_write marks as read; thread_write posts to threads" },
    async () => {
      const inviter = as.user(await make.user());
      const org = good(await inviter.post("/api/organization", { name: "Inviting", slug: uniqueName("org") }));
      const { teamId } = good(await inviter.get(`/api/organization/${org.slug}`));
      good(await inviter.post(`/api/team/${teamId}/invite`, { userName: person.userName }));
      const [{ id, read }] = good(await session.get("/api/notifications"));
      expect(read).toBe(false);
      await needsExactly("notification_write", (actor) => actor.patch(`/api/notifications/${id}`));
      expect(good(await session.get(`/api/notifications/${id}`))).toMatchObject({ id, userId: person.id, read: true });
      await needsExactly("notification_delete", (actor) => actor.delete(`/api/notifications/${id}`));

      const project = await createProject(session, { type: ["shader"] });
      const thread = await resources.db
        .selectFrom("threads")
        .select("id")
        .where("entity_id", "=", project.id)
        .executeTakeFirstOrThrow();
      await needsExactly("thread_write", (actor) => actor.post(`/api/thread/${thread.id}`, { message: "By token" }));
      expect((await session.get(`/api/thread/${thread.id}`)).text).toContain("By token");
    },
  );

  conforms({ "5.meaning.report": "report_create submits reports" }, async () => {
    const other = await make.user();
    const report = { reportType: "spam", itemType: "user", itemId: other.id, body: "Sends advertising to everybody" };
    await needsExactly("report_create", (actor) => actor.post("/api/report", report));
    await needsExactly("report_read", (actor) => actor.get("/api/report"));
    expect(good(await session.get("/api/report"))).toMatchObject([{ itemId: other.id, closed: false }]);
    const moderator = await make.user({ role: "moderator" });
    const [{ id }] = good(await session.get("/api/report"));
    const close = async (scopes: readonly Scope[]) =>
      (await holding([...scopes, "staff"], moderator)).patch(`/api/report/${id}`, { closed: true });
    expect(await close(others("report_write"))).toFail(403, "scopeMissing");
    expect(await close(["report_write"])).toSucceed();
  });

  conforms({ "5.meaning.delete": "*_delete delete the respective resource" }, async () => {
    const { id } = await createProject(session, { type: ["shader"] });
    const { slug } = await uploadVersion(session, id);
    const org = good(await session.post("/api/organization", { name: "Gone soon", slug: uniqueName("org") }));
    await needsExactly("version_delete", (actor) => actor.delete(`/api/project/${id}/version/${slug}`));
    await needsExactly("project_delete", (actor) => actor.delete(`/api/project/${id}`));
    await needsExactly("organization_delete", (actor) => actor.delete(`/api/organization/${org.slug}`));
    expect(await session.get(`/api/project/${id}`)).toFail(404, "projectNotFound");
    expect(await session.get(`/api/organization/${org.slug}`)).toFail(404, "organizationNotFound");
  });
});
