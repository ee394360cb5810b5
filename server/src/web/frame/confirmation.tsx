// Members of staff whose powers are not in force are asked to confirm their identity: on a page of its own, or together with
// the form that they were about to send, which is then sent as they filled it in.

import type { FastifyReply, FastifyRequest } from "fastify";
import Type from "typebox";
import { confirmIdentity, listProofs, type Proofs } from "#accounts/sessions/confirming.js";
import { type ErrorCode, Failure } from "#platform/errors.js";
import type { Call } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { accountRole } from "#platform/http/staff-powers.js";
import type { SessionViewer, Viewer } from "#platform/http/viewer.js";
import { attempt, type FormProblems } from "#web/context/form.js";
import { safeNext, signInAgainPath } from "#web/context/paths.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Notice } from "#web/parts/notice.js";
import { TextField } from "#web/parts/text-field.js";
import { texts } from "#words/texts.js";
import { givenBack } from "./given-back.js";
import type { Page } from "./layout.js";

export const confirmPath = (next: string): string => `/auth/confirm?next=${encodeURIComponent(safeNext(next))}`;

/** The names of the fields, which must not be those of the form that they are added to. */
interface Names {
  code: string;
  password: string;
}
const ownNames: Names = { code: "code", password: "password" };
const addedNames: Names = { code: "confirm-code", password: "confirm-password" };
const anyText = Type.Optional(Type.String());
/** What every form may carry besides its own fields. */
export const confirmationFields = { [addedNames.code]: anyText, [addedNames.password]: anyText };

type Given = Partial<Names>;
type Typed = Record<string, unknown>;

/** Takes what was given to confirm with out of a form. */
export function splitConfirmation(body: Typed): { given: Given | undefined; rest: Typed } {
  const { [addedNames.code]: code, [addedNames.password]: password, ...rest } = body;
  const isGiven = code !== undefined || password !== undefined;
  return { given: isGiven ? { code: String(code ?? ""), password: String(password ?? "") } : undefined, rest };
}

/** Refusals that the powers of staff might lift. */
const liftable: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "confirmationNeeded",
  "permissionMissing",
  "ownerOnly",
  "membersOnly",
  "moderatorOnly",
  "adminOnly",
]);
export const mightBeLifted = ({ code, status }: Failure): boolean => liftable.has(code) || status === 404;

const isDormant = (viewer: Viewer): viewer is SessionViewer =>
  viewer.kind === "session" && viewer.user.dormantRole !== undefined;

/** For the error page, which knows only the request. */
const dormant = new WeakSet<FastifyRequest>();
export const hasDormantPowers = (request: FastifyRequest): boolean => dormant.has(request);

export function noteDormantPowers(request: FastifyRequest, viewer: Viewer): void {
  if (isDormant(viewer)) dormant.add(request);
}

type Answer = Page | FastifyReply;

/**
 * Does the work of a form. Where it is refused and the powers of the sender's role might lift that, the form comes back with
 * the question for a proof; with a good proof the work is done as if nothing had happened in between.
 */
export async function withConfirmation(
  call: Call,
  resources: Resources,
  given: Given | undefined,
  work: (call: Call) => Promise<Answer>,
): Promise<Answer> {
  const { viewer } = call;
  if (!isDormant(viewer)) return work(call);
  if (given) {
    const problems = await tryToConfirm(call, resources, viewer, given, addedNames);
    return problems ? askInForm(call, resources, problems) : work({ ...call, viewer: confirmed(viewer, resources) });
  }
  try {
    return await work(call);
  } catch (error) {
    if (!(error instanceof Failure) || !mightBeLifted(error)) throw error;
    return askInForm(call, resources);
  }
}

/**
 * A check before a form with files is read. It lets members of staff pass whose powers might lift the refusal: they are asked
 * to confirm when the form has arrived, so that what they typed is not lost.
 */
export async function checkBeforeForm({ viewer }: Pick<Call, "viewer">, check: () => Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (!isDormant(viewer) || !(error instanceof Failure) || !mightBeLifted(error)) throw error;
  }
}

export const tryToConfirm = (
  { actor }: Pick<Call, "actor">,
  resources: Resources,
  viewer: SessionViewer,
  { code = "", password = "" }: Given,
  names = ownNames,
): Promise<FormProblems | undefined> =>
  attempt(
    // Longer texts fit no account, and should cost nothing.
    () => confirmIdentity(resources, actor, viewer, { code: code.slice(0, 64), password: password.slice(0, 512) }),
    { secondFactorWrong: names.code, passwordWrong: names.password, rateLimited: names.code },
  );

function confirmed(viewer: SessionViewer, { clock }: Resources): SessionViewer {
  const { dormantRole: _, ...user } = viewer.user;
  return { ...viewer, dateAuthenticated: clock.now(), user: { ...user, role: accountRole(viewer.user) } };
}

async function askInForm(call: Call, resources: Resources, problems?: FormProblems): Promise<Page> {
  const proofs = await listProofs(resources, (call.viewer as SessionViewer).user.id);
  const fields = <ProofFields proofs={proofs} names={addedNames} problems={problems} />;
  return { ...givenBack(call, "unconfirmed", problems?.status ?? 403, { fields }), scripts: ["passkeys"] };
}

interface Props {
  proofs: Proofs;
  /** Where to go after a passkey; undefined: the form around it is sent. */
  next?: string;
  names?: Names;
  problems?: FormProblems | undefined;
}

/** Inside a form with one button. */
export const ProofFields = ({ proofs, next, names = ownNames, problems }: Props) => {
  const t = useTexts(texts.frame.confirmation);
  return (
    <>
      {proofs.code && (
        <TextField
          name={names.code}
          required
          verbatim
          label={t.code}
          hint={t.codeHint}
          autoComplete="one-time-code"
          problems={problems}
        />
      )}
      {proofs.password && (
        <TextField
          name={names.password}
          required
          label={t.password}
          type="password"
          autoComplete="current-password"
          problems={problems}
        />
      )}
      {proofs.passkey && (
        <div hidden data-passkey-confirm data-next={next}>
          <Button kind="quiet" type="button">
            {t.passkey}
          </Button>
          <p class="wrong" role="status" data-failed={t.passkeyFailed} />
        </div>
      )}
    </>
  );
};

/** Whether a form with these proofs has anything to fill in. */
export const hasFields = ({ code, password }: Proofs): boolean => code || password;

/** In place of a form, for accounts that have nothing to confirm with. */
export const OtherWay = ({ proofs, next }: { proofs: Proofs; next: string }) => {
  const t = useTexts(texts.frame.confirmation);
  if (proofs.isIncomplete)
    return (
      <Notice kind="warning" title={t.setUpLead}>
        <p>
          <a href="/settings/security">{t.setUp}</a>
        </p>
      </Notice>
    );
  return (
    <Notice title={t.signInLead}>
      <p>
        <a href={signInAgainPath(next)}>{t.signIn}</a>
      </p>
    </Notice>
  );
};
