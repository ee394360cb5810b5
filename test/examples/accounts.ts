// The tour of accounts, sessions, tokens and sign-in with providers.
import type { Actor } from "#test/callers/actors.js";
import { makeApplication, OAuthClient, redirectUri } from "#test/callers/oauth-client.js";
import { submit } from "#test/callers/page-forms.js";
import { siteUrl } from "#test/server/harness.js";
import type { OAuthBrowser } from "#test/setup/oauth-browser.js";
import { codeFor, mailedCode, type Tour } from "./tour.js";

/** The first administrator. */
export async function setUp(tour: Omit<Tour, "people">): Promise<{ id: string; actor: Actor }> {
  const { recorder, resources, make, password } = tour;
  const code = await codeFor(tour, "setup", null);
  const email = "root@example.org";
  await recorder.call("createFirstAdmin", { json: { code, userName: "root", email, password } });
  const reply = await recorder.call("signIn", { json: { email, password } });
  const { id } = await resources.db
    .selectFrom("users")
    .select("id")
    .where("role", "=", "admin")
    .executeTakeFirstOrThrow();
  await make.confirmed({ id });
  return { id, actor: tour.as.anyone.with({ cookie: cookieOf(reply.headers), origin: siteUrl }) };
}

const cookieOf = (headers: Headers): string => headers.get("set-cookie")!.split(";")[0]!;

export async function walkAccounts(tour: Tour): Promise<void> {
  const { recorder, as, people, password } = tour;
  const { ada, grace } = people;
  recorder.known.set("/api/user ref", ada.userName);
  recorder.known.set("/user ref", ada.userName);
  recorder.known.set("/cdn/data/user id", ada.id);
  await recorder.call("signUp", { json: { userName: "linus", email: "linus@example.org", password } });
  await recorder.call("signIn", { actor: as.anyone.with(firefox), json: { email: ada.email, password } });
  await recorder.call("validateSession", { actor: as.user(ada) });
  await recorder.call("listSessions");
  await recorder.call("requestPasswordReset", { json: { email: grace.email } });
  await recorder.call("getUsers", { query: `ids=${ada.id},grace` });
  recorder.known.set("patId", (await recorder.call("createToken")).body.id);
  await recorder.call("updateToken");
  await recorder.call("updateProfile", { json: { bio: "I make shaders" } });
  await endSessions(tour);
  await changeAccount(tour);
}

const firefox = {
  origin: siteUrl,
  "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
};

async function endSessions(tour: Tour): Promise<void> {
  const { recorder, as, people, password } = tour;
  const { grace } = people;
  const signIn = () =>
    recorder.call("signIn", { actor: as.anyone.with(firefox), json: { email: grace.email, password } });
  await signIn();
  await recorder.call("endSessionByCode", { params: { code: await mailedCode(tour, "revoke-session", grace.email) } });
  await recorder.call("endOtherSessions", { actor: as.user(grace) });
  const own = as.anyone.with({ cookie: cookieOf((await signIn()).headers), origin: siteUrl });
  await recorder.call("endSession", { actor: own });
}

/** Changes that end sessions use accounts that are no longer needed. */
async function changeAccount(tour: Tour): Promise<void> {
  const { recorder, as, make, password } = tour;
  const newUser = (userName: string, withPassword = true) =>
    make.user({ userName, email: `${userName}@example.org`, ...(withPassword && { password }) });
  const barbara = await newUser("barbara");
  const own = as.user(barbara);
  await recorder.call("changeEmail", { actor: own, json: { email: "barbara@example.com", password } });
  await recorder.call("confirmEmail", {
    json: { code: await mailedCode(tour, "/auth/verify", "barbara@example.com") },
  });
  const newToken = async (name: string): Promise<string> =>
    (
      await recorder.call("createToken", {
        actor: own,
        json: { name, dateExpires: "2099-12-31", authScopes: ["user_read"] },
      })
    ).body.id;
  const [kept] = [await newToken("Launcher"), await newToken("Old script")];
  await recorder.call("changePassword", {
    actor: own,
    json: { currentPassword: password, newPassword: "battery horse", keepTokens: [kept] },
  });
  const code = await codeFor(tour, "password_reset", barbara.id, "barbara@example.com");
  await recorder.call("resetPassword", { json: { code, newPassword: password } });
  const edsger = await newUser("edsger", false);
  await recorder.call("requestPassword", { actor: as.user(edsger) });
  await recorder.call("getConfirmationAction", {
    json: { code: await mailedCode(tour, "confirm-action", edsger.email) },
  });
  await recorder.call("cancelConfirmationAction", {
    json: { code: await mailedCode(tour, "confirm-action", edsger.email) },
  });
  await recorder.call("requestAccountDeletion", { actor: as.user(edsger) });
  await recorder.call("deleteAccount", { json: { code: await mailedCode(tour, "confirm-action", edsger.email) } });
  const alan = await newUser("alan");
  await tour.resources.db.updateTable("users").set({ email_verified: 0 }).where("id", "=", alan.id).execute();
  await recorder.call("requestConfirmation", { actor: as.user(alan) });
}

/** A user connects an application of another user, and disconnects it. */
export async function walkApplications(tour: Tour): Promise<void> {
  const { recorder, make, people } = tour;
  const client = new OAuthClient(tour, await makeApplication(tour, people.ada));
  await make.confirmed(people.grace);
  const code = await client.code(people.grace);
  const { body } = await recorder.call("createOAuthToken", {
    json: {
      ...{ grant_type: "authorization_code", code, client_id: client.id },
      ...{ redirect_uri: redirectUri, code_verifier: client.verifier },
    },
  });
  await recorder.call("revokeOAuthToken", { json: { token: body.refresh_token, client_id: client.id } });
}

/** A program without a browser is signed in: a user approves it in theirs. */
export async function walkDevices({ recorder, as, people }: Tour): Promise<void> {
  const scope = "user_read project_read version_create";
  const { body } = await recorder.call("createDeviceCode", { json: { client_id: "shelf on desk", scope } });
  await submit(as.user(people.grace), "/device", { code: body.user_code, decision: "approve" });
  const { body: issued } = await recorder.call("createDeviceToken", { json: { device_code: body.device_code } });
  await recorder.call("revokeDeviceToken", { json: { token: issued.access_token } });
}

export async function walkProviders({ recorder, as, people, browser, password }: Tour): Promise<void> {
  recorder.known.set("provider", "github");
  await recorder.call("beginLink");
  const visitor = { id: "583231", name: "octocat", email: "octocat@example.org", verified: true };
  const finish = async (own: OAuthBrowser, intent: "signin" | "signup" | "link", id: string, account = visitor) => {
    const path = await own.approve(await own.begin(intent, "github"), account);
    const { code, state } = Object.fromEntries(new URL(path, siteUrl).searchParams);
    const cookie = [...own.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    await recorder.call(id, { actor: as.anyone.with({ cookie, origin: siteUrl }), json: { code, state } });
  };
  await finish(browser(), "signup", "finishSignUp");
  await finish(browser(), "signin", "finishSignIn");
  const { grace } = people;
  await finish(browser(grace.sessionToken), "link", "finishLink", { ...visitor, id: "583232", name: "grace-h" });
  await recorder.call("listLinkedProviders", { actor: as.user(grace) });
  await recorder.call("removePassword", { actor: as.user(grace), json: { password } });
  await recorder.call("changePassword", { actor: as.user(grace), json: { newPassword: password } });
  await recorder.call("unlinkProvider", { actor: as.user(grace) });
}
