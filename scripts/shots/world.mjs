// Content that the demo does not have: a user's own projects, for the pages of authors, and content that is hard to
// display well: two hundred versions, names of one long word, text from right to left, no icon.
import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { TOTP } from "otpauth";
import { makeArchive } from "../../dist/server/src/operations/demo/archive.js";
import { drawIcon, drawScene } from "../../dist/server/src/operations/demo/pictures.js";

const loaders = JSON.stringify(["quilt", "puzzle_loader"]);
const everyGameVersion = ["0.5.13", "0.5.12", "0.5.11", "0.4.8", "0.4.7", "0.4.6", "0.3.26", "0.3.25", "0.3.24"];

export async function fillForShots({ people: { user, friend, admin } }) {
  await admin.call("POST", "/setup/content", { preset: "included" });
  const publish = (who, slug, versionNumber, fields = {}) =>
    who.call("POST", `/api/project/${slug}/version`, {
      ...{ title: `Version ${versionNumber}`.slice(0, 64), changelog: "- Fewer surprises\n- **More** light", loaders },
      ...{ releaseChannel: "release", versionNumber, featured: "false", dependencies: "[]" },
      gameVersions: JSON.stringify(everyGameVersion.slice(0, 2)),
      primaryFile: { name: `${slug}-${versionNumber}.jar`, bytes: archiveOf(slug, versionNumber) },
      ...fields,
    });
  const create = async (who, name, slug, summary, description) => {
    await who.call("POST", "/api/project", { name, slug, type: ["mod"], summary, visibility: "listed" });
    await who.call("PATCH", `/api/project/${slug}/description`, { description });
    await who.call("PATCH", `/api/project/${slug}/license`, { id: "MIT" });
    await who.call("PATCH", `/api/project/${slug}/tags`, { categories: ["utility"], featuredCategories: ["utility"] });
  };
  const approve = async (who, slug) => {
    await who.call("POST", `/api/project/${slug}/submit-for-review`, {});
    await admin.call("POST", `/api/moderation/project/${slug}`, { status: "approved" });
  };

  await create(user, "Emberlight", "emberlight", "Embers that drift from every fire and die in the rain.", embers);
  await publish(user, "emberlight", "1.0.0", { dependencies: needs("lumen-core") });
  await publish(user, "emberlight", "1.1.0-b1", { releaseChannel: "beta" });
  await user.call("PATCH", "/api/project/emberlight/icon", {
    icon: { name: "i.png", bytes: await drawIcon("Emberlight") },
  });
  for (const at of [1, 0])
    await user.call("POST", "/api/project/emberlight/gallery", {
      ...{ image: { name: "scene.png", bytes: await drawScene("Emberlight", at) }, title: `Night ${at + 1}` },
      description: "A fire in the rain.",
    });
  await approve(user, "emberlight");
  await publish(user, "emberlight", "0.9.0-a", { releaseChannel: "alpha" });
  await create(user, "Half-made thing", "half-made-thing", "It is not done yet.", "");
  await create(user, "Soon to be judged", "soon-to-be-judged", "It waits for a moderator.", "Something **new**.");
  await publish(user, "soon-to-be-judged", "0.0.9");
  await publish(user, "soon-to-be-judged", "0.1.0");
  await user.call("POST", "/api/project/soon-to-be-judged/submit-for-review", {});
  await create(user, "Gone tomorrow", "gone-tomorrow", "It will be deleted.", "Soon gone.");
  await publish(user, "gone-tomorrow", "1.0");
  await approve(user, "gone-tomorrow");

  await create(
    friend,
    "Nightly",
    "nightly",
    "A new build every night, for those who like to be first.",
    "Nightly builds.",
  );
  await publish(friend, "nightly", "1.0");
  await approve(friend, "nightly");
  await user.call("POST", "/api/project/nightly/follow", {});
  for (let build = 1; build < 200; build++)
    await publish(friend, "nightly", `1.0-build.${build}`, {
      releaseChannel: ["dev", "alpha", "beta", "release"][Math.floor(build / 50)],
      gameVersions: JSON.stringify([everyGameVersion.at(-1 - Math.floor(build / 23))]),
    });
  await create(
    friend,
    "مصابيح الغسق",
    "masabih",
    "مصابيح تضيء عند الغسق وتنطفئ عند الفجر.",
    "## الوصف\n\nنص من **اليمين** إلى اليسار.",
  );
  await publish(friend, "masabih", "1.0", { title: "الإصدار الأول", changelog: "الأول من نوعه" });
  await approve(friend, "masabih");
  const word = "Donaudampfschifffahrtsgesellscha";
  await create(friend, word, "d".repeat(64), `${word}${"f".repeat(200)}`, `# ${word.repeat(8)}\n\n${word.repeat(20)}`);
  await publish(friend, "d".repeat(64), "1".repeat(64), { title: word.repeat(2), changelog: word.repeat(10) });
  await approve(friend, "d".repeat(64));

  const { teamId } = (await user.call("GET", "/api/project/emberlight")).project;
  await invite(user, friend, teamId);
  // A member who sees the figures of the demo.
  const lanterns = (await admin.call("GET", "/api/organization/lantern-works")).teamId;
  await invite(admin, friend, lanterns);
  const members = await admin.call("GET", `/api/team/${lanterns}/members`);
  const { id } = members.find(({ userName }) => userName === friend.userName);
  await admin.call("PATCH", `/api/team/${lanterns}/member/${id}`, { permissions: ["view_analytics"] });
  await user.call("POST", "/api/organization", {
    name: "Night Watch",
    slug: "night-watch",
    description: "Light after dark.",
  });
  const org = await user.call("GET", "/api/organization/night-watch");
  await invite(user, friend, org.teamId);
  await create(user, "Watchfire", "watchfire", "A fire on every hill.", "Light them.");
  await user.call("POST", "/api/organization/night-watch/projects", { projectId: "watchfire" });
  await friend.call("POST", "/api/organization", { name: "Owls", slug: "owls", description: "Awake at night." });
  const owls = await friend.call("GET", "/api/organization/owls");
  await friend.call("POST", `/api/team/${owls.teamId}/invite`, { userName: user.userName });

  await user.call("POST", "/api/collections", {
    ...{ name: "Rainy nights", description: "For the long ones.", visibility: "public" },
    projects: ["emberlight", "dusk-lanterns", "masabih", "nightly"],
  });
  for (const slug of ["dusk-lanterns", "soft-horizon", "masabih"])
    await user.call("POST", `/api/project/${slug}/follow`, {});
  const complaint = {
    reportType: "spam",
    itemType: "project",
    itemId: "nightly",
    body: "One build every night is too much.",
  };
  await user.call("POST", "/api/report", complaint);
  await user.call("POST", "/api/pat", {
    name: "Publishing from CI",
    dateExpires: inThirtyDays(),
    authScopes: ["user_read"],
  });
  await user.call("POST", "/api/project/emberlight/webhooks", {
    url: "https://hooks.example.org/x",
    events: ["version.published"],
  });
  // Its host does not exist, so the delivery waits among the jobs.
  await publish(user, "emberlight", "0.9.1-a", { releaseChannel: "alpha" });
  await user.call("POST", "/api/upload", { name: "emberlight-1.2.0.jar", size: 40_000_000 });
  await registerAndConnect(user, friend);
  // Late, so that the project was announced before: only the pages of announced projects say that they are gone.
  await user.call("DELETE", "/api/project/gone-tomorrow", {});
  await turnSecondFactorOn(friend);
}

/** The values of the placeholders in the paths of pages.mjs. */
export async function findNames({ people: { user, admin } }) {
  /** The first link on a page that matches `pattern`. */
  const linked = async (who, path, pattern) => {
    const found = pattern.exec(await who.call("GET", path))?.[1];
    if (!found) throw new Error(`No link on ${path} matches ${pattern}`);
    return found;
  };
  const firstOf = async (path) => (await user.call("GET", path))[0].id;
  const settings = "/project/emberlight/settings";
  const webhook = await linked(user, `${settings}/publishing`, /publishing\/(\w+)\/delete/);
  const application = await linked(user, "/settings/applications", applicationLink);
  return {
    long: "d".repeat(64),
    moved: (await user.call("GET", "/api/project/watchfire")).project.id,
    collection: await firstOf(`/api/user/${user.userName}/collections`),
    report: await firstOf("/api/report"),
    token: await firstOf("/api/pat"),
    application,
    device: (
      await user.call("POST", "/api/device/code", {
        client_id: "shelf on desk",
        scope: "user_read project_read version_create",
      })
    ).user_code,
    authorization: String(authorizationOf(application)),
    upload: await firstOf("/api/upload"),
    version: (await user.call("GET", "/api/project/emberlight/version/latest")).data.id,
    webhook,
    picture: await linked(user, `${settings}/gallery`, /gallery\/(\w+)\/remove/),
    member: await linked(user, `${settings}/members`, /members\/(\w+)\/remove/),
    case: await linked(admin, "/moderation/reports", /\/moderation\/report\/(\w+)/),
    file: await linked(admin, "/moderation/queue/soon-to-be-judged", /\/moderation\/scan\/(\w+)/),
    // Every attempt to deliver is another job.
    job: () => untilFound(() => linked(admin, "/admin/jobs", /\/admin\/jobs\/(\w+)\/delete/)),
  };
}

/** A job that runs at this moment cannot be deleted. */
async function untilFound(find, tries = 50) {
  try {
    return await find();
  } catch (error) {
    if (tries === 0) throw error;
    await setTimeout(200);
    return untilFound(find, tries - 1);
  }
}

const applicationLink = /\/settings\/applications\/(\w{8})"/;
const redirectUri = "https://launcher.example/callback";
const verifier = "a-verifier-that-everyone-may-know-because-it-is-shown";

const authorizationOf = (clientId) =>
  new URLSearchParams({
    ...{ response_type: "code", client_id: clientId, redirect_uri: redirectUri, state: "shown" },
    scope: "user_read project_read version_create collection_write",
    ...{ code_challenge: createHash("sha256").update(verifier).digest("base64url"), code_challenge_method: "S256" },
  });

/** An application of the user, which the user and a friend use. */
async function registerAndConnect(user, friend) {
  await user.call("POST", "/settings/applications/new", {
    ...{ name: "Lantern Launcher", description: "Installs and updates mods with one click.", type: "public" },
    ...{ homepage: "https://launcher.example/", redirectUris: `${redirectUri}\nhttp://127.0.0.1/done` },
    ...{ scope_user_read: "on", scope_project_read: "on", scope_version_create: "on", scope_collection_write: "on" },
  });
  const [, clientId] = applicationLink.exec(await user.call("GET", "/settings/applications"));
  const request = authorizationOf(clientId);
  for (const person of [user, friend]) {
    const answer = await person.call("POST", "/oauth/authorize", { ...Object.fromEntries(request), decision: "allow" });
    const code = new URL(answer).searchParams.get("code");
    await person.call("POST", "/oauth/token", {
      ...{ grant_type: "authorization_code", code, redirect_uri: redirectUri, client_id: clientId },
      code_verifier: verifier,
    });
  }
}

async function turnSecondFactorOn({ call }) {
  await call("POST", "/settings/security/totp/begin", {});
  const [secret] = /\b[A-Z2-7]{32}\b/.exec(
    (await call("GET", "/settings/security/totp")).replace(/(?<=[A-Z2-7]{4}) (?=[A-Z2-7]{4})/g, ""),
  );
  await call("POST", "/settings/security/totp", { code: new TOTP({ secret }).generate() });
}

const archiveOf = (slug, version) =>
  makeArchive([
    {
      name: "quilt.mod.json",
      text: JSON.stringify({ schema_version: 1, quilt_loader: { id: slug, version } }, null, 2),
    },
  ]);

const needs = (projectId) => JSON.stringify([{ projectId, versionId: null, dependencyType: "required" }]);

const inThirtyDays = () => new Date(Date.now() + 30 * 24 * 3_600_000).toISOString();

async function invite(owner, member, teamId) {
  await owner.call("POST", `/api/team/${teamId}/invite`, { userName: member.userName });
  await member.call("PATCH", `/api/team/${teamId}/invite`, {});
}

const embers = `## What it does

Every fire throws embers that **drift with the wind** and die in the rain.

| Fire | Embers |
|---|---|
| Campfire | few |
| Forge | many |

- [x] Rain
- [ ] Snow

\`\`\`json
{ "embers": { "perSecond": 12, "wind": true } }
\`\`\`
`;
