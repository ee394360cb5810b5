// Asks staff whose powers are not in force to confirm their identity: on a page of its own, or together with the form
// that they have just sent, which is then processed as they filled it in.

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

/** The names of the fields; they must differ from those of the form that they are added to. */
interface Names {
  code: string;
  password: string;
}
const ownNames: Names = { code: "code", password: "password" };
const addedNames: Names = { code: "confirm-code", password: "confirm-password" };
const anyText = Type.Optional(Type.String());
/** Fields that every form may carry besides its own. */
export const confirmationFields = { [addedNames.code]: anyText, [addedNames.password]: anyText };

type Given = Partial<Names>;
type Typed = Record<string, unknown>;

/** Separates the proof of identity from the other fields of a form. */
export function splitConfirmation(body: Typed): { given: Given | undefined; rest: Typed } {
  const { [addedNames.code]: code, [addedNames.password]: password, ...rest } = body;
  const isGiven = code !== undefined || password !== undefined;
  return { given: isGiven ? { code: String(code ?? ""), password: String(password ?? "") } : undefined, rest };
}

/** Refusals that may not apply once the powers of staff are in force. */
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

/** For the error page, which gets only the request. */
const dormant = new WeakSet<FastifyRequest>();
export const hasDormantPowers = (request: FastifyRequest): boolean => dormant.has(request);

export function noteDormantPowers(request: FastifyRequest, viewer: Viewer): void {
  if (isDormant(viewer)) dormant.add(request);
}

type Answer = Page | FastifyReply;

/**
 * Processes a form. If it is refused and the powers of the sender's role might change that, the form comes back with
 * fields for a proof of identity. With a valid proof it is processed as usual.
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
 * A check before a form with files is read. It passes members of staff whose powers might lift the refusal: they are
 * asked to confirm after the form has arrived, so that their input is not lost.
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
    // Longer texts cannot be right, and should cost nothing to check.
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
  /** The page to load after a passkey was used; if undefined, the surrounding form is sent. */
  next?: string;
  names?: Names;
  problems?: FormProblems | undefined;
}

/** To be placed in a form with one button. */
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
          autocomplete="one-time-code"
          problems={problems}
        />
      )}
      {proofs.password && (
        <TextField
          name={names.password}
          required
          label={t.password}
          type="password"
          autocomplete="current-password"
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

/** Whether these proofs need any input fields. */
export const hasFields = ({ code, password }: Proofs): boolean => code || password;

/** Shown instead of a form if the account has nothing to confirm with. */
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
