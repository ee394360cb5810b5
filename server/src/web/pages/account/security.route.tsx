// The second factor: setting up the app, recovery codes, turning it off.

import type { FastifyReply } from "fastify";
import Type from "typebox";
import { listPasskeys } from "#accounts/passkeys/read.js";
import { canHavePasskeys } from "#accounts/passkeys/webauthn.js";
import { checkSecondFactor } from "#accounts/second-factor/check.js";
import { countRecoveryCodes, findPendingTotp, hasSecondFactor, readTotpKey } from "#accounts/second-factor/read.js";
import { totpLink } from "#accounts/second-factor/totp.js";
import { beginTotp, confirmTotp, removeSecondFactor, renewRecoveryCodes } from "#accounts/second-factor/write.js";
import { getAccount } from "#accounts/users/own-account.js";
import { isFresh } from "#accounts/users/policy.js";
import { type Actor, write } from "#platform/changes/write.js";
import { sessionOnly } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import type { SessionViewer } from "#platform/http/viewer.js";
import { attempt, type FormProblems, formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import type { Page } from "#web/frame/layout.js";
import { formRoute, pageRoute } from "#web/frame/page.js";
import { texts } from "#words/texts.js";
import { ProveWithCode, RecoveryCodes, SecuritySections, securityPath, TotpSetup } from "./security.js";
import { settingsPage, signInAgainPath, wordsFor } from "./settings-frame.js";

const access = sessionOnly("user_auth_write");
const totpPath = `${securityPath}/totp`;
const [offPath, codesPath] = [`${totpPath}/off`, `${securityPath}/codes`];

/** Runs where the sign-in was just now; else the visitor is sent to sign in again. */
async function ifFresh(
  { viewer, reply }: Asking,
  { clock }: Resources,
  work: () => Promise<Page | FastifyReply>,
): Promise<Page | FastifyReply> {
  return isFresh(viewer, clock.now()) ? work() : seeOther(reply, signInAgainPath(securityPath));
}

type Words = ReturnType<typeof wordsFor<(typeof texts.account.security)["en"]>>;

const setterOf = ({ user, sessionId }: SessionViewer) => ({ userId: user.id, sessionId });

const provePage = (t: Words, act: "renew" | "turnOff", problems?: FormProblems): Page =>
  settingsPage({
    title: t[act],
    lead: act === "renew" ? t.renewHint : t.turnOffLead,
    status: problems?.status,
    children: <ProveWithCode act={act} problems={problems} />,
  });

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
      const t = wordsFor(request, texts.account.security);
      const { password_hash } = await getAccount(resources, viewer.user.id);
      return settingsPage({
        title: wordsFor(request, texts.account.settings).security,
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
        await write(resources, call.actor, (tx) => beginTotp(tx, setterOf(call.viewer)));
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
        const totp = await findPendingTotp(resources.db, setterOf(call.viewer), resources.clock.now());
        if (!totp) return seeOther(call.reply, securityPath);
        const t = wordsFor(call.request, texts.account.security);
        const key = readTotpKey(resources.vault, totp);
        return setupPage(t, key, linkOf(key, call.viewer, resources));
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
        const t = wordsFor(request, texts.account.security);
        const totp = await findPendingTotp(resources.db, setterOf(viewer), resources.clock.now());
        if (!totp) return seeOther(reply, securityPath);
        let codes: string[] = [];
        const problems = await attempt(
          async () => {
            const code = (body.code ?? "").slice(0, 32);
            codes = await write(resources, actor, (tx) => confirmTotp(tx, setterOf(viewer), code));
          },
          { secondFactorWrong: "code" },
        );
        const key = readTotpKey(resources.vault, totp);
        if (problems) return setupPage(t, key, linkOf(key, viewer, resources), problems);
        return codesPage(t, codes);
      }),
  ),

  pageRoute(
    {
      id: "getRecoveryCodesPage",
      path: codesPath,
      access,
      summary: "The question for a code before new recovery codes",
    },
    (call, resources) =>
      ifFresh(call, resources, async () => provePage(wordsFor(call.request, texts.account.security), "renew")),
  ),

  formRoute(
    {
      id: "submitRecoveryCodes",
      path: codesPath,
      access,
      rate: "signIn",
      summary: "Make new recovery codes",
      body: formFields("code"),
    },
    (call, resources) =>
      ifOn(call, resources, async () => {
        const t = wordsFor(call.request, texts.account.security);
        let codes: string[] = [];
        const problems = await withCode(call, resources, async () => {
          codes = await write(resources, call.actor, (tx) => renewRecoveryCodes(tx, call.viewer.user.id));
        });
        return problems ? provePage(t, "renew", problems) : codesPage(t, codes);
      }),
  ),

  pageRoute(
    { id: "getTotpOffPage", path: offPath, access, summary: "The question whether to turn it off" },
    (call, resources) =>
      ifFresh(call, resources, async () => provePage(wordsFor(call.request, texts.account.security), "turnOff")),
  ),

  formRoute(
    {
      id: "submitTotpOff",
      path: offPath,
      access,
      rate: "signIn",
      summary: "Turn the second factor off",
      body: formFields("code"),
    },
    (call, resources) =>
      ifOn(call, resources, async () => {
        const problems = await withCode(call, resources, () =>
          write(resources, call.actor, (tx) => removeSecondFactor(tx, call.viewer.user.id)),
        );
        if (problems) return provePage(wordsFor(call.request, texts.account.security), "turnOff", problems);
        return seeOther(call.reply, `${securityPath}?done=off`);
      }),
  ),
];

interface Asking {
  viewer: SessionViewer;
  reply: FastifyReply;
}

/** As ifFresh, where there is a second factor to change. */
const ifOn = (call: Asking, resources: Resources, work: () => Promise<Page | FastifyReply>) =>
  ifFresh(call, resources, async () =>
    (await hasSecondFactor(resources.db, call.viewer.user.id)) ? work() : seeOther(call.reply, securityPath),
  );

/** A session alone may be stolen: what weakens the second factor needs a code of the app, or a recovery code. */
const withCode = (
  { viewer, actor, body }: { viewer: SessionViewer; actor: Actor; body: { code?: string } },
  resources: Resources,
  work: () => Promise<void>,
): Promise<FormProblems | undefined> =>
  attempt(
    async () => {
      await checkSecondFactor(resources, actor, viewer.user.id, (body.code ?? "").slice(0, 32));
      await work();
    },
    { secondFactorWrong: "code", rateLimited: "code" },
  );

const linkOf = (secret: string, viewer: SessionViewer, { config }: Resources): string =>
  totpLink(secret, viewer.user.userName, new URL(config.http.url).host);
