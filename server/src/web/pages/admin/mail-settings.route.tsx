// The routes of the page in mail-settings.tsx. Everything on it needs a recent sign-in: the server that is entered here gets
// links for resetting passwords.
import Type from "typebox";
import { isFresh } from "#accounts/users/policy.js";
import { isHost } from "#config/addresses.js";
import { describeSettings, findSettingFault, webSettings } from "#config/config.js";
import { tryMail } from "#operations/administration/mail-trial.js";
import { Failure, fail, type Issue, invalid } from "#platform/errors.js";
import type { Call, Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { fromSmtpUrl, type Security, securities, toSmtpUrl } from "#platform/mail/smtp-address.js";
import { attempt, formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import type { Page } from "#web/frame/layout.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { changeSettings, lockedNames, readStamp } from "#web/shared/changed-settings.js";
import { forAdmins } from "#web/shared/staff-access.js";
import { say } from "#words/said.js";
import { texts, textsIn } from "#words/texts.js";
import { adminPage } from "./admin-frame.js";
import { fieldNames, type MailFields, MailSettings, type MailState, type MailView, mailPath } from "./mail-settings.js";

const urlName = "MODSHELF_SMTP_URL";
const senderName = "MODSHELF_MAIL_FROM";
const names = [urlName, senderName];
const longest = 512;

export const mailSettingsRoutes: Route[] = [
  pageRoute(
    {
      id: "getMailSettingsPage",
      path: mailPath,
      access: forAdmins,
      summary: "The mail server of the site",
      query: Type.Object({ did: Type.Optional(Type.String({ maxLength: 16 })) }),
    },
    async (call, resources) => mailPage(call, resources, { isSaved: call.query.did === "saved" }),
  ),

  memberFormRoute(
    {
      id: "submitMailSettings",
      path: mailPath,
      access: forAdmins,
      summary: "Change the mail server of the site",
      body: formFields(...fieldNames, "stamp"),
    },
    async (call, resources) => {
      if (!isFresh(call.viewer, resources.clock.now())) return mailPage(call, resources, { typed: call.body });
      const problems = await attempt(
        async () => changeSettings(call, resources, toInputs(resources, call.body), call.body.stamp),
        { changedMeanwhile: "stamp" },
      );
      if (!problems) return seeOther(call.reply, `${mailPath}?did=saved`);
      return mailPage(call, resources, { typed: call.body, problems });
    },
  ),

  memberFormRoute(
    {
      id: "submitMailRemoval",
      path: `${mailPath}/remove`,
      access: forAdmins,
      summary: "Remove the mail server of the site",
      body: formFields("stamp"),
    },
    async (call, resources) => {
      if (!isFresh(call.viewer, resources.clock.now())) return mailPage(call, resources, {});
      const problems = await attempt(async () => changeSettings(call, resources, emptied(resources), call.body.stamp), {
        changedMeanwhile: "stamp",
      });
      return problems ? mailPage(call, resources, { problems }) : seeOther(call.reply, `${mailPath}?did=saved`);
    },
  ),

  memberFormRoute(
    {
      id: "submitMailTest",
      path: `${mailPath}/test`,
      access: forAdmins,
      summary: "Send yourself a test mail",
      errors: ["rateLimited"],
    },
    async (call, resources) => {
      const { viewer, request } = call;
      const { config, clock, limiter } = resources;
      const to = await findAddress(resources, viewer.user.id);
      if (!isFresh(viewer, clock.now()) || !config.mail || to === null) return mailPage(call, resources, {});
      const quota = await limiter.take("mail", `mail tests of ${viewer.user.id}`);
      if (!quota.allowed)
        throw new Failure("rateLimited", 429, fail.rateLimited(quota.retryAfterSeconds).said, {
          headers: { "retry-after": String(quota.retryAfterSeconds) },
        });
      const t = textsIn(texts.operator.mail, localeOf(request));
      const trial = await tryMail(config.mail, { to, subject: t.subject, text: t.text(config.http.url) });
      return mailPage(call, resources, { trial });
    },
  ),
];

async function mailPage(
  { viewer, request }: Pick<Call, "request"> & { viewer: SignedIn },
  resources: Resources,
  state: MailState,
): Promise<Page> {
  const { config, clock } = resources;
  const described = new Map(describeSettings(config).map((each) => [each.name, each]));
  const { password = "", ...server } = config.mail ? fromSmtpUrl(config.mail.smtpUrl) : {};
  const view: MailView = {
    server: "host" in server ? server : undefined,
    hasPassword: password !== "",
    from: described.get(senderName)!.value,
    url: described.get(urlName)!,
    sender: described.get(senderName)!,
    stamp: await readStamp(resources, names),
    isFresh: isFresh(viewer, clock.now()),
    address: await findAddress(resources, viewer.user.id),
  };
  const status = state.problems?.status ?? (request.method === "POST" && !view.isFresh ? 403 : 200);
  return adminPage({ tab: "settings", locale: localeOf(request), status }, <MailSettings view={view} {...state} />);
}

async function findAddress({ db }: Resources, userId: string): Promise<string | null> {
  const row = await db.selectFrom("users").select("email").where("id", "=", userId).executeTakeFirstOrThrow();
  return row.email;
}

const emptied = ({ config }: Resources) => {
  const locked = lockedNames(config);
  return names.filter((name) => !locked.has(name)).map((name) => ({ name, text: "" }));
};

/** The settings that the form stands for. */
function toInputs({ config }: Resources, body: MailFields): { name: string; text: string }[] {
  const given = Object.fromEntries(fieldNames.map((name) => [name, body[name] ?? ""])) as Required<MailFields>;
  const [host, port, user, from] = [given.host.trim(), given.port.trim(), given.user.trim(), given.from.trim()];
  const locked = lockedNames(config);
  const security = securities.find((each) => each === given.security) as Security;
  const server = { host, port, security, user };
  const password = given.password || (user && keptPassword(config.mail?.smtpUrl, server));
  const senderFault = findSettingFault(webSettings.find(({ name }) => name === senderName)!, from);
  const isLong = (text: string) => text.length > longest;
  const issues: (Issue | false | undefined)[] = [
    !isHost(host) && { path: "host", message: say.problems.serverName },
    !/^(?:\d{1,5})?$/.test(port) || Number(port || 1) < 1 || Number(port) > 65_535
      ? { path: "port", message: say.problems.wholeNumber(1, 65_535) }
      : undefined,
    !security && { path: "security", message: say.problems.doesNotFit },
    isLong(user) && { path: "user", message: say.problems.tooManyCharacters(longest) },
    isLong(given.password) && { path: "password", message: say.problems.tooManyCharacters(longest) },
    user !== "" && !password && { path: "password", message: say.problems.passwordAgain },
    !locked.has(senderName) && senderFault !== undefined && { path: "from", message: senderFault },
  ];
  const found = issues.filter((issue) => typeof issue === "object");
  if (found.length > 0) throw invalid(...found);
  const inputs = [
    { name: urlName, text: toSmtpUrl({ ...server, password: password ?? "" }) },
    { name: senderName, text: from },
  ];
  return inputs.filter(({ name }) => !locked.has(name));
}

/**
 * The stored password goes only to the server that it was entered for: otherwise an intruder in an administrator's
 * session could have it sent to a server of their own.
 */
function keptPassword(present: string | undefined, server: Omit<ReturnType<typeof fromSmtpUrl>, "password">): string {
  if (present === undefined) return "";
  const { password } = fromSmtpUrl(present);
  return toSmtpUrl({ ...server, password }) === toSmtpUrl(fromSmtpUrl(present)) ? password : "";
}
