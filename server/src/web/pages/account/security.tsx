// The second factor: setting up the app, recovery codes, turning it off.
import type { FastifyReply } from "fastify";
import Type from "typebox";
import { write } from "../../../changes/write.js";
import { sessionOnly } from "../../../http/access.js";
import type { Route } from "../../../http/endpoint.js";
import type { Resources } from "../../../http/resources.js";
import type { SessionViewer } from "../../../http/viewer.js";
import { listPasskeys } from "../../../passkeys/read.js";
import { canHavePasskeys } from "../../../passkeys/webauthn.js";
import { countRecoveryCodes, findTotp, hasSecondFactor } from "../../../second-factor/read.js";
import { totpLink } from "../../../second-factor/totp.js";
import { beginTotp, confirmTotp, removeSecondFactor, renewRecoveryCodes } from "../../../second-factor/write.js";
import { getAccount } from "../../../users/own-account.js";
import { isFresh } from "../../../users/policy.js";
import { attempt, type FormProblems, formFields } from "../../form.js";
import type { Page } from "../../layout.js";
import { formRoute, pageRoute } from "../../page.js";
import { seeOther } from "../../paths.js";
import { securityTexts } from "./security-texts.js";
import { RecoveryCodes, SecuritySections, securityPath, TotpSetup, TurnOff } from "./security-view.js";
import { settingsPage, signInAgainPath, wordsFor } from "./settings-frame.js";
import { settingsTexts } from "./settings-texts.js";

const access = sessionOnly("user_auth_write");
const totpPath = `${securityPath}/totp`;

/** Runs where the sign-in was just now; else the visitor is sent to sign in again. */
async function ifFresh(
  { viewer, reply }: { viewer: SessionViewer; reply: FastifyReply },
  { clock }: Resources,
  work: () => Promise<Page | FastifyReply>,
): Promise<Page | FastifyReply> {
  return isFresh(viewer, clock.now()) ? work() : seeOther(reply, signInAgainPath(securityPath));
}

type Words = ReturnType<typeof wordsFor<(typeof securityTexts)["en"]>>;

const codesPage = (t: Words, codes: readonly string[]): Page =>
  settingsPage({ title: t.codesTitle, lead: t.codesLead, children: <RecoveryCodes codes={codes} /> });

const setupPage = (t: Words, secret: string, link: string, problems?: FormProblems): Page =>
  settingsPage({
    title: t.setUpTitle,
    lead: t.setUpLead,
    status: problems?.status,
    children: <TotpSetup secret={secret} link={link} problems={problems} />,
  });

export const securityRoutes: Route[] = [
  pageRoute(
    {
      id: "getSecurityPage",
      path: securityPath,
      access,
      summary: "The second factor and passkeys",
      query: Type.Object({ done: Type.Optional(Type.String()) }),
    },
    async ({ request, viewer, query }, resources) => {
      const { db, config, clock } = resources;
      const t = wordsFor(request, securityTexts);
      const { password_hash } = await getAccount(resources, viewer.user.id);
      return settingsPage({
        title: wordsFor(request, settingsTexts).security,
        lead: t.lead,
        done: { off: t.turnedOff, added: t.added, removed: t.removed }[query.done ?? ""],
        scripts: ["passkeys"],
        children: (
          <SecuritySections
            isOn={await hasSecondFactor(db, viewer.user.id)}
            codesLeft={await countRecoveryCodes(db, viewer.user.id)}
            passkeys={await listPasskeys(db, viewer.user.id)}
            canHavePasskeys={canHavePasskeys(config.http.url)}
            isFresh={isFresh(viewer, clock.now())}
            hasPassword={password_hash !== null}
          />
        ),
      });
    },
  ),

  formRoute(
    { id: "submitTotpBegin", path: `${totpPath}/begin`, access, summary: "Begin to set up the authenticator app" },
    (call, resources) =>
      ifFresh(call, resources, async () => {
        await write(resources, call.actor, (tx) => beginTotp(tx, call.viewer.user.id));
        return seeOther(call.reply, totpPath);
      }),
  ),

  pageRoute(
    {
      id: "getTotpPage",
      path: totpPath,
      access,
      summary: "The key for the authenticator app",
      cacheControl: "no-store",
    },
    (call, resources) =>
      ifFresh(call, resources, async () => {
        const totp = await findTotp(resources.db, call.viewer.user.id);
        if (!totp || totp.date_confirmed !== null) return seeOther(call.reply, securityPath);
        const t = wordsFor(call.request, securityTexts);
        return setupPage(t, totp.secret, linkOf(totp.secret, call.viewer, resources));
      }),
  ),

  formRoute(
    {
      id: "submitTotp",
      path: totpPath,
      access,
      rate: "signIn",
      summary: "Turn the second factor on and show the recovery codes",
      body: formFields("code"),
    },
    (call, resources) =>
      ifFresh(call, resources, async () => {
        const { viewer, actor, body, request, reply } = call;
        const t = wordsFor(request, securityTexts);
        const totp = await findTotp(resources.db, viewer.user.id);
        if (!totp || totp.date_confirmed !== null) return seeOther(reply, securityPath);
        let codes: string[] = [];
        const problems = await attempt(
          async () => {
            const code = (body.code ?? "").slice(0, 32);
            codes = await write(resources, actor, (tx) => confirmTotp(tx, viewer.user.id, code));
          },
          { secondFactorWrong: "code" },
        );
        if (problems) return setupPage(t, totp.secret, linkOf(totp.secret, viewer, resources), problems);
        return codesPage(t, codes);
      }),
  ),

  formRoute(
    { id: "submitRecoveryCodes", path: `${securityPath}/codes`, access, summary: "Make new recovery codes" },
    (call, resources) =>
      ifFresh(call, resources, async () => {
        const { viewer, actor, request, reply } = call;
        if (!(await hasSecondFactor(resources.db, viewer.user.id))) return seeOther(reply, securityPath);
        const codes = await write(resources, actor, (tx) => renewRecoveryCodes(tx, viewer.user.id));
        return codesPage(wordsFor(request, securityTexts), codes);
      }),
  ),

  pageRoute(
    { id: "getTotpOffPage", path: `${totpPath}/off`, access, summary: "The question whether to turn it off" },
    (call, resources) =>
      ifFresh(call, resources, async () => {
        const t = wordsFor(call.request, securityTexts);
        return settingsPage({ title: t.turnOff, lead: t.turnOffLead, children: <TurnOff /> });
      }),
  ),

  formRoute(
    { id: "submitTotpOff", path: `${totpPath}/off`, access, summary: "Turn the second factor off" },
    (call, resources) =>
      ifFresh(call, resources, async () => {
        await write(resources, call.actor, (tx) => removeSecondFactor(tx, call.viewer.user.id));
        return seeOther(call.reply, `${securityPath}?done=off`);
      }),
  ),
];

const linkOf = (secret: string, viewer: SessionViewer, { config }: Resources): string =>
  totpLink(secret, viewer.user.userName, new URL(config.http.url).host);
