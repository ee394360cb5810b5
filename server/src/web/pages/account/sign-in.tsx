// The forms to sign in and sign up. They work without script; passkeys need one.

import { canHavePasskeys } from "#accounts/passkeys/webauthn.js";
import { knownProviders, type ProviderName } from "#accounts/providers/known-providers.js";
import type { Children } from "#lib/jsx-runtime.js";
import { lengths } from "#lib/lengths.js";
import type { FormProblems } from "#web/context/form.js";
import { useFrame } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { FormCard } from "#web/parts/form-card.js";
import { Notice } from "#web/parts/notice.js";
import { TextField } from "#web/parts/text-field.js";
import { texts } from "#words/texts.js";

const Next = ({ next }: { next: string }) => <input type="hidden" name="next" value={next} />;

const withNext = (path: string, next: string): string =>
  next === "/" ? path : `${path}?next=${encodeURIComponent(next)}`;

interface SignInProps {
  next: string;
  providers: readonly ProviderName[];
  login?: string | undefined;
  problems?: FormProblems | undefined;
  /** The signed-in user who has to prove their identity again. */
  userName?: string | undefined;
  remark?: Children;
}

export const SignInForm = ({ next, providers, login, problems, userName, remark }: SignInProps) => {
  const t = useTexts(texts.account.signIn);
  return (
    <div class="stack narrow">
      <h1>{userName === undefined ? t.signIn : t.again}</h1>
      <p class="lead">{userName === undefined ? t.signInLead : t.againLead(userName)}</p>
      {remark}
      <FormCard
        action="/auth/sign-in"
        button={t.signIn}
        problems={problems}
        labels={{ login: t.login, password: t.password }}
      >
        <Next next={next} />
        <TextField
          name="login"
          required
          verbatim
          label={t.login}
          autocomplete="username webauthn"
          value={login ?? userName}
          problems={problems}
        />
        <TextField
          name="password"
          required
          label={t.password}
          type="password"
          autocomplete="current-password"
          problems={problems}
        />
      </FormCard>
      <Passkey next={next} />
      <Providers providers={providers} begin="signin" next={next} />
      <p class="actions small">
        <a href="/auth/reset">{t.forgot}</a>
      </p>
      {userName === undefined && (
        <p class="small">
          {t.newHere} <a href={withNext("/auth/sign-up", next)}>{t.signUp}</a>
        </p>
      )}
    </div>
  );
};

/** Shown by the script if the browser supports passkeys. */
const Passkey = ({ next }: { next: string }) => {
  const t = useTexts(texts.account.signIn);
  const { siteUrl } = useFrame();
  if (!canHavePasskeys(siteUrl)) return null;
  return (
    <div hidden data-passkey-sign-in data-next={next}>
      <Button kind="quiet" type="button">
        {t.withPasskey}
      </Button>
      <p class="wrong" role="status" data-failed={t.passkeyFailed} />
    </div>
  );
};

interface ProvidersProps {
  providers: readonly ProviderName[];
  begin: string;
  next: string;
  invite?: string | undefined;
}

const Providers = ({ providers, begin, next, invite }: ProvidersProps) => {
  const t = useTexts(texts.account.signIn);
  if (providers.length === 0) return null;
  return (
    <div class="stack">
      <p class="muted">{t.or}</p>
      {providers.map((name) => (
        <ButtonLink
          key={name}
          kind="quiet"
          rel="nofollow"
          href={`/api/auth/${begin}/${name}?redirect=true&next=${encodeURIComponent(next)}${invite ? `&invite=${encodeURIComponent(invite)}` : ""}`}
        >
          {t.withProvider(knownProviders[name].title)}
        </ButtonLink>
      ))}
    </div>
  );
};

interface SignUpProps {
  next: string;
  providers: readonly ProviderName[];
  typed?: { userName?: string | undefined; email?: string | undefined };
  problems?: FormProblems | undefined;
  /** The invite code, if registration is closed. */
  invite?: string | undefined;
}

export const SignUpForm = ({ next, providers, typed, problems, invite }: SignUpProps) => {
  const t = useTexts(texts.account.signIn);
  return (
    <div class="stack narrow">
      <h1>{t.signUp}</h1>
      <p class="lead">{t.signUpLead}</p>
      {invite !== undefined && <Notice title={t.invited} />}
      <FormCard
        action="/auth/sign-up"
        button={t.signUp}
        problems={problems}
        labels={{ userName: t.userName, email: t.email, password: t.password }}
      >
        <Next next={next} />
        {invite !== undefined && <input type="hidden" name="invite" value={invite} />}
        <TextField
          name="userName"
          required
          verbatim
          label={t.userName}
          hint={t.userNameHint}
          autocomplete="username"
          lengths={lengths.userName}
          value={typed?.userName}
          problems={problems}
        />
        <TextField
          name="email"
          required
          label={t.email}
          type="email"
          hint={t.emailHint}
          autocomplete="email"
          lengths={lengths.email}
          value={typed?.email}
          problems={problems}
        />
        <TextField
          name="password"
          required
          label={t.password}
          type="password"
          hint={t.passwordHint}
          autocomplete="new-password"
          lengths={lengths.password}
          problems={problems}
        />
      </FormCard>
      <Providers providers={providers} begin="signup" next={next} invite={invite} />
      <p class="small">
        {t.haveOne} <a href={withNext("/auth/sign-in", next)}>{t.signIn}</a>
      </p>
    </div>
  );
};

interface ClosedProps {
  next: string;
  /** Whether invite codes can be used. */
  takesInvites: boolean;
  invite?: string | undefined;
  problems?: FormProblems | undefined;
}

export const RegistrationClosed = ({ next, takesInvites, invite, problems }: ClosedProps) => {
  const t = useTexts(texts.account.signIn);
  return (
    <div class="stack narrow">
      <h1>{t.closed}</h1>
      <p class="lead">{takesInvites ? t.inviteLead : t.closedLead}</p>
      {takesInvites && (
        <Form class="form card" method="get" action="/auth/sign-up">
          <Next next={next} />
          <TextField name="invite" required verbatim label={t.invite} value={invite} problems={problems} />
          <Button>{t.continue}</Button>
        </Form>
      )}
      <p>
        {t.haveOne} <a href={withNext("/auth/sign-in", next)}>{t.signIn}</a>
      </p>
    </div>
  );
};

export const SecondFactorForm = ({
  step,
  next,
  problems,
}: {
  step: string;
  next: string;
  problems?: FormProblems | undefined;
}) => {
  const t = useTexts(texts.account.signIn);
  return (
    <div class="stack narrow">
      <h1>{t.secondTitle}</h1>
      <p class="lead">{t.secondLead}</p>
      <FormCard action="/auth/second-factor" button={t.continue} problems={problems} labels={{ code: t.code }}>
        <Next next={next} />
        <input type="hidden" name="step" value={step} />
        <TextField
          name="code"
          required
          verbatim
          label={t.code}
          hint={t.codeHint}
          autocomplete="one-time-code"
          problems={problems}
        />
      </FormCard>
      <p class="muted small">{t.lost}</p>
    </div>
  );
};

export const StepExpired = () => {
  const t = useTexts(texts.account.signIn);
  return <Notice kind="warning" title={t.stepGone} />;
};
