// Trusted publishers: a real build service on loopback signs tokens, and every possible defect of a token is tried.
import { generateKeyPairSync } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { setSuspension } from "#accounts/users/write.js";
import { deleteExpired } from "#operations/background/housekeeping.js";
import { write } from "#platform/changes/write.js";
import { location, readPage, submit, typed, wrongWith } from "#test/callers/page-forms.js";
import { publishTo } from "#test/callers/uploads.js";
import { TestClock, testApp, uniqueName } from "#test/server/harness.js";
import { assembled, signedWithPublicKey, startBuildService } from "#test/setup/build-service.js";
import { addMember, makeProject, setProject } from "#test/worlds/content.js";

const clock = new TestClock();
const hub = await startBuildService(clock);
const lab = await startBuildService(clock);
afterAll(() => Promise.all([hub.stop(), lab.stop()]));
const world = await testApp({
  clock,
  settings: { MODSHELF_TRUSTED_ISSUERS: `github:${hub.url},gitlab:${lab.url}` },
});
const { as, make, resources } = world;
const { db } = resources;
const minute = 60_000;

const input = { issuer: hub.url, repository: "octo/dusk-lamps", workflow: "publish.yml" };
const addTo = (ref: string) => `/api/project/${ref}/trusted-publishers`;
const exchange = (ref: string, token: unknown) => as.anyone.post(`/api/project/${ref}/publishing-token`, { token });

async function trusting(change: object = {}, options = {}) {
  const user = await make.user();
  const project = await makeProject(world, user, options);
  const added = await as.user(user).post(addTo(project.id), { ...input, ...change });
  expect(added).toSucceed();
  return { user, project, actor: as.user(user), publisher: added.body.publisher };
}
const refusal = async (ref: string, token: unknown) => {
  const reply = await exchange(ref, token);
  expect(reply).toFail(403, "identityRefused");
  return reply.body.message as string;
};

const shared = trusting();

describe("createPublishingToken", () => {
  test("gives a build a token that can only publish versions of the project, for 15 minutes", async () => {
    const { project, user, actor, publisher } = await trusting({}, { visibility: "private" });
    const other = await makeProject(world, user);
    const given = await exchange(project.slug, hub.token());
    expect(given).toSucceed();
    expect(given.headers.get("cache-control")).toContain("no-store");
    expect(Date.parse(given.body.dateExpires)).toBeLessThanOrEqual(clock.now() + 15 * minute);
    const build = as.bearer(given.body.token);
    const { data } = (await publishTo(build, project.id)).body;
    const commit = "d6fd9f1e4a1f4c2f8a4b2f6f0b6a7c8d9e0f1a2b";
    const repositoryUrl = `${hub.url}/Octo/Dusk-Lamps`;
    expect(data.provenance).toEqual({
      ...{ repository: "Octo/Dusk-Lamps", repositoryUrl, workflow: "publish.yml", ref: "refs/tags/v1", run: "42" },
      ...{ commit, commitUrl: `${repositoryUrl}/commit/${commit}` },
    });
    const page = await readPage(actor, `/project/${project.slug}/version/${data.slug}`);
    expect(page.text).toContain(`href="${repositoryUrl}/commit/${commit}"`);
    expect((await publishTo(actor, project.id)).body.data.provenance).toBeNull();
    expect(await publishTo(build, other.id)).toFail(403);
    expect(await build.patch(`/api/project/${project.id}`, { summary: "Taken over" })).toFail(403, "scopeMissing");
    expect(await build.post(addTo(project.id), input)).toFail(403, "sessionNeeded");
    expect((await actor.get("/api/pat")).body).toHaveLength(0);
    const [shown] = (await actor.get(addTo(project.id))).body;
    expect(shown).toMatchObject({ id: publisher.id, ownerId: "1001", environment: null, userId: user.id });
    expect(shown.dateLastUsed).not.toBeNull();
    await clock.during(15 * minute, async () => {
      await deleteExpired(resources);
      expect(await publishTo(build, project.id)).toFail(401, "tokenExpired");
    });
  });

  test("supports GitLab, where repositories are in groups", async () => {
    const own = { issuer: lab.url, repository: "guild/lamps/dusk", workflow: ".gitlab-ci.yml", environment: "release" };
    const { project } = await trusting(own);
    expect(await exchange(project.id, lab.gitlab({ environment: "release", namespace_id: 77 }))).toSucceed();
    expect(await refusal(project.id, lab.gitlab())).toContain("no environment");
    const foreign = "gitlab.example/guild/lamps/dusk//.gitlab-ci.yml@refs/heads/main";
    expect(await refusal(project.id, lab.gitlab({ environment: "release", ci_config_ref_uri: foreign }))).toContain(
      "its workflow is not a file in its repository",
    );
    expect(await refusal(project.id, hub.token())).toContain("does not trust builds");
  });

  const now = () => Math.floor(clock.now() / 1000);
  test.each<[string, () => string | Promise<string>, string]>([
    ["a wrong signature", () => `${hub.token().slice(0, -8)}AAAAAAAA`, "signature"],
    [
      "the key of another signer",
      () => hub.token({}, {}, generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey),
      "signature",
    ],
    ["an unknown key", () => hub.token({}, { kid: "no-such-key" }), "signature"],
    ["the key of another trusted issuer", () => lab.token({ iss: hub.url }), "signature"],
    ["alg none", () => assembled({ alg: "none", kid: "1" }, {}, () => Buffer.alloc(0)), "RS256"],
    ["alg none with a signature", () => assembled({ alg: "none", kid: "1" }, {}, () => Buffer.alloc(9)), "RS256"],
    ["HS256 with the public key as its secret", () => signedWithPublicKey({ iss: hub.url }, hub), "RS256"],
    ["another algorithm over a good signature", () => hub.token({}, { alg: "RS512" }), "RS256"],
    ["unknown critical extensions", () => hub.token({}, { crit: ["b64"] }), "RS256"],
    ["no key id", () => hub.token({}, { kid: undefined }), "RS256"],
    ["a text that is not a token", () => "not.a.token", "RS256"],
    ["an issuer that is not trusted", () => hub.token({ iss: "https://evil.example" }), "issuer"],
    ["an issuer with a trailing slash", () => hub.token({ iss: `${hub.url}/` }), "issuer"],
    ["no issuer", () => hub.token({ iss: undefined }), "issuer"],
    ["another site's audience", () => hub.token({ aud: "https://pypi.example" }), "audience"],
    ["several audiences", () => hub.token({ aud: ["http://modshelf.test", "https://a.example"] }), "audience"],
    ["no audience", () => hub.token({ aud: undefined }), "audience"],
    ["an expiry in the past", () => hub.token({ exp: now() - 31 }), "expired"],
    ["no expiry", () => hub.token({ exp: undefined }), "when it expires"],
    ["an expiry that is not a number", () => hub.token({ exp: "tomorrow" }), "when it expires"],
    ["an expiry too far in the future", () => hub.token({ exp: now() + 40 * 86_400 }), "31 days"],
    ["a start in the future", () => hub.token({ nbf: now() + 120 }), "not valid yet"],
    ["another repository", () => hub.token({ repository: "octo/other" }), "not a file in its repository"],
    [
      "another repository in all its claims",
      () =>
        hub.token({ repository: "evil/dusk-lamps", workflow_ref: "evil/dusk-lamps/.github/workflows/publish.yml@x" }),
      "does not trust builds of evil/dusk-lamps",
    ],
    [
      "another workflow",
      () => hub.token({ workflow_ref: "Octo/Dusk-Lamps/.github/workflows/test.yml@refs/heads/main" }),
      "the workflow test.yml",
    ],
    [
      "a workflow of another repository",
      () => hub.token({ workflow_ref: "octo/tools/.github/workflows/publish.yml@x" }),
      "workflow",
    ],
    ["no token id", () => hub.token({ jti: undefined }), "jti"],
    ["no owner id", () => hub.token({ repository_owner_id: null }), "repository_owner_id"],
    ["a pull request of a fork", () => hub.token({ event_name: "pull_request_target" }), "pull_request_target"],
  ])("refuses %s", async (_what, make, said) => {
    const { project } = await shared;
    expect(await refusal(project.id, await make())).toContain(said);
  });
  test("accepts an identity token once, even if it is sent five times at once, and not again for another project", async () => {
    const { project } = await trusting();
    const { project: other } = await trusting();
    const token = hub.token();
    const replies = await Promise.all(Array.from({ length: 5 }, () => exchange(project.id, token)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403, 403]);
    expect(await refusal(other.id, token)).toContain("already used");
    await clock.during(2 * 60 * minute, async () => {
      await deleteExpired(resources);
      expect(await db.selectFrom("spent_identities").selectAll().execute()).toEqual([]);
      expect(await db.selectFrom("tokens").selectAll().where("publisher_id", "is not", null).execute()).toEqual([]);
      expect(await refusal(other.id, token)).toContain("expired");
    });
  });

  test("requires the environment if one is configured, and the owner account of the first use", async () => {
    const { project, actor } = await trusting({ environment: "release" });
    expect(await refusal(project.id, hub.token())).toContain("no environment");
    expect(await refusal(project.id, hub.token({ environment: "Release" }))).toContain("the environment Release");
    expect(await exchange(project.id, hub.token({ environment: "release" }))).toSucceed();
    const renamed = hub.token({ environment: "release", repository_owner_id: "6666" });
    expect(await refusal(project.id, renamed)).toContain("belongs to a different account");
    expect((await actor.get(addTo(project.id))).body[0].ownerId).toBe("1001");
  });

  test("answers the same for a hidden project and for a missing one", async () => {
    const hidden = await makeProject(world, await make.user(), { visibility: "private" });
    const [one, two] = [await refusal(hidden.id, hub.token()), await refusal("never-was", hub.token())];
    expect(one).toBe(two);
  });

  test("ends with the publisher: the tokens of a removed publisher are invalid at once", async () => {
    const { project, actor, publisher } = await trusting();
    const { token } = (await exchange(project.id, hub.token())).body;
    expect(await actor.delete(`${addTo(project.id)}/${publisher.id}`)).toSucceed();
    expect(await publishTo(as.bearer(token), project.id)).toFail(401, "credentialInvalid");
    expect(await refusal(project.id, hub.token())).toContain("does not trust builds");
  });

  test("has only the rights of the user who added the publisher: none if they left or are suspended", async () => {
    const { project } = await trusting();
    const member = await make.user();
    await addMember(world, project.teamId, member, { permissions: ["upload_version"] });
    const own = { ...input, workflow: "members.yml" };
    expect(await as.user(member).post(addTo(project.id), own)).toSucceed();
    const token = () => hub.token({ workflow_ref: "Octo/Dusk-Lamps/.github/workflows/members.yml@refs/tags/v1" });
    expect(await exchange(project.id, token())).toSucceed();
    await db
      .updateTable("team_members")
      .set({ permissions: "[]" as never })
      .where("user_id", "=", member.id)
      .execute();
    expect(await refusal(project.id, token())).toContain("can no longer publish");
    const second = await trusting();
    await write(resources, {}, (tx) => setSuspension(tx, second.user.id, "spam"));
    expect(await refusal(second.project.id, hub.token())).toContain("can no longer publish");
  });

  test("is in the audit log and in the security log of the user who added it, without the token", async () => {
    const { project, user, actor, publisher } = await trusting();
    const { token } = (await exchange(project.id, hub.token())).body;
    const rows = await db.selectFrom("audit_log").selectAll().where("object_id", "=", user.id).execute();
    const row = rows.find(({ action }) => action === "token.exchange")!;
    expect(JSON.parse(row.detail)).toMatchObject({
      ...{ publisherId: publisher.id, repository: "Octo/Dusk-Lamps", ref: "refs/tags/v1", run: "42" },
    });
    expect(JSON.stringify(rows)).not.toContain(token);
    const page = (await readPage(actor, "/settings/security-log")).text;
    for (const words of ["Token issued to a trusted publisher", "Trusted publisher added"])
      expect(page).toContain(words);
  });

  test("follows new keys of a service, fetches them at most once a minute, and reports when it does not respond", async () => {
    const { project } = await trusting();
    // After the time of all fetches in the tests before.
    await clock.during(3 * 60 * minute, async () => {
      hub.rotate();
      expect(await exchange(project.id, hub.token())).toSucceed();
      const asked = hub.asked;
      for (let times = 0; times < 3; times++) await refusal(project.id, hub.token({}, { kid: `unknown-${times}` }));
      expect(hub.asked).toBe(asked);
      clock.advance(2 * 60 * minute);
      for (const fault of ["silent", "other name", "keys elsewhere", "redirect"] as const) {
        hub.fault = fault;
        clock.advance(minute);
        expect(await exchange(project.id, hub.token()), fault).toFail(503, "issuerSilent");
      }
      hub.fault = "none";
      clock.advance(minute);
      expect(await exchange(project.id, hub.token())).toSucceed();
    });
  });
});

describe("createTrustedPublisher, listTrustedPublishers and deleteTrustedPublisher", () => {
  test("are for members who may publish versions, with a session", async () => {
    const { project, user, publisher } = await trusting();
    const reader = await make.user();
    await addMember(world, project.teamId, reader, { permissions: ["edit_details"] });
    const stranger = as.user(await make.user());
    const bearer = await as.token(user, { scopes: ["version_create", "project_write"] });
    for (const [who, status] of [
      [as.user(reader), 403],
      [stranger, 403],
      [bearer, 403],
      [as.anyone, 401],
    ] as const) {
      expect(await who.get(addTo(project.id))).toFail(status);
      expect(await who.post(addTo(project.id), input)).toFail(status);
      expect(await who.delete(`${addTo(project.id)}/${publisher.id}`)).toFail(status);
    }
    await setProject(world, project.id, { visibility: "private" });
    expect(await stranger.get(addTo(project.id))).toFail(404, "projectNotFound");
  });

  test.each([
    { issuer: "https://evil.example" },
    { issuer: "" },
    { repository: "no-slash" },
    { repository: "a/b c" },
    { repository: "https://github.com/octo/lamps" },
    { repository: `${"a".repeat(200)}/b` },
    { workflow: "../publish.yml" },
    { workflow: "publish.txt" },
    { workflow: "" },
    { environment: "a\u0007b" },
    { environment: "e".repeat(256) },
    { repository: undefined },
  ])("refuse %j", async (change) => {
    const { actor, project } = await shared;
    expect(await actor.post(addTo(project.id), { ...input, ...change })).toFail(400, "invalidRequest");
  });

  test("refuse duplicates that differ only in case, and do not find publishers of other projects", async () => {
    const { actor, project, publisher } = await trusting();
    const again = { ...input, repository: "OCTO/Dusk-Lamps" };
    expect(await actor.post(addTo(project.id), again)).toFail(409, "publisherKnown");
    expect(await actor.post(addTo(project.id), { ...again, environment: "release" })).toSucceed();
    const other = await trusting();
    expect(await other.actor.delete(`${addTo(other.project.id)}/${publisher.id}`)).toFail(404, "publisherNotFound");
    expect((await actor.get(addTo(project.id))).body).toHaveLength(2);
  });
});

test("getPublishingAudience returns the audience that a build must request", async () => {
  expect((await as.anyone.get("/api/trusted-publishing")).body).toEqual({
    audience: "http://modshelf.test",
    issuers: [hub.url, lab.url],
  });
});

describe("submitTrustedPublisher and submitTrustedPublisherRemoval", () => {
  test("add a publisher, show its workflow, and remove it", async () => {
    const user = await make.user();
    const project = await makeProject(world, user, { name: uniqueName("p").slice(0, 30) });
    const path = `/project/${project.slug}/settings/publishing`;
    const fields = { ...input, environment: "release" };
    const reply = await submit(as.user(user), `${path}/publishers`, fields);
    expect(location(reply)).toBe(`${path}?done=saved#publishers`);
    const page = (await readPage(as.user(user), path)).text;
    for (const part of [
      "octo/dusk-lamps",
      "id-token: write",
      "publishing-token",
      "never used",
      "environment: &quot;release&quot;",
    ])
      expect(page).toContain(part);
    const [{ id }] = (await as.user(user).get(addTo(project.id))).body;
    const german = await as.user(user).get(path, { headers: { accept: "text/html", "accept-language": "de" } });
    expect(german.text).toContain("Vertrauenswürdige Publisher");
    expect(location(await submit(as.user(user), `${path}/publishers/${id}/remove`))).toContain(path);
    expect((await as.user(user).get(addTo(project.id))).body).toEqual([]);
  });

  test("keep the entered text after an error, and need the permission and a recent sign-in", async () => {
    const { project, actor } = await trusting();
    const path = `/project/${project.slug}/settings/publishing/publishers`;
    const bad = await submit(actor, path, { ...input, repository: "nonsense" });
    expect([bad.status, typed(bad, "repository"), Boolean(wrongWith(bad, "repository"))]).toEqual([
      400,
      "nonsense",
      true,
    ]);
    expect((await submit(actor, path, input)).status).toBe(409);
    const member = await make.user();
    await addMember(world, project.teamId, member, { permissions: ["edit_details"] });
    expect((await submit(as.user(member), path, { ...input, workflow: "b.yml" })).status).toBe(403);
    await clock.during(11 * minute, async () => {
      expect((await submit(actor, path, { ...input, workflow: "b.yml" })).status).toBe(403);
    });
  });
});
