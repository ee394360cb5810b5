// The page on which a user allows or refuses an application to use their account.
import type { AuthorizationRequest, PageProblem } from "#accounts/applications/authorize.js";
import { refreshLifeDays } from "#accounts/applications/policy.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { Notice } from "#web/parts/notice.js";
import { texts } from "#words/texts.js";
import { ScopeList } from "./scope-list.js";

export const path = "/oauth/authorize";

interface Props {
  request: AuthorizationRequest;
  userName: string;
}

export const Consent = ({ request, userName }: Props) => {
  const t = useTexts(texts.applications.consent);
  const { application, redirectUri, scopes } = request;
  const { name, ownerName, homepage, description, secretDigest } = application;
  return (
    <div class="stack narrow">
      <h1 dir="auto">{t.title(name)}</h1>
      <p class="lead">{t.lead(name, userName)}</p>
      <Notice kind="warning" title={t.unchecked}>
        <p>
          {t.uncheckedText} {secretDigest === null && t.publicText}
        </p>
      </Notice>
      <div class="card stack">
        {description !== "" && <p dir="auto">{description}</p>}
        <dl class="facts">
          <dt>{t.maker}</dt>
          <dd>
            <a href={`/user/${ownerName}`}>{ownerName}</a>
          </dd>
          <dt>{t.website}</dt>
          <dd>
            <a href={homepage} rel="nofollow noopener noreferrer">
              {new URL(homepage).host}
            </a>
          </dd>
        </dl>
        <h2>{t.can}</h2>
        <ScopeList scopes={scopes} />
        <p class="muted small">{t.cannot}</p>
        <p class="muted small">{t.howLong(refreshLifeDays)}</p>
        <p>
          {t.sendsTo} <code>{redirectUri}</code>
        </p>
        <Form class="actions" action={path} fields={toFields(request)}>
          <Button name="decision" value="allow">
            {t.allow}
          </Button>
          <Button kind="quiet" name="decision" value="deny">
            {t.deny}
          </Button>
        </Form>
      </div>
    </div>
  );
};

/** The same request again, which is checked again when the form is sent. */
export const toFields = ({ application, redirectUri, scopes, state, codeChallenge }: AuthorizationRequest) => ({
  response_type: "code",
  client_id: application.id,
  redirect_uri: redirectUri,
  scope: scopes.join(" "),
  ...(state !== undefined && { state }),
  code_challenge: codeChallenge,
  code_challenge_method: "S256",
});

export const ConsentProblem = ({ problem }: { problem: PageProblem }) => {
  const t = useTexts(texts.applications.consent);
  const { start } = useTexts(texts.frame.error);
  return (
    <>
      {problem !== "suspended" && <p class="muted">{t.forDevelopers}</p>}
      <p>
        <ButtonLink href="/">{start}</ButtonLink>
      </p>
    </>
  );
};
