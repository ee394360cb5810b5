// Shows a form again that could not be processed, because the session had ended or the form token was missing. It
// contains what was typed, to be sent again.

import { type Children, Fragment } from "#lib/jsx-runtime.js";
import { fail } from "#platform/errors.js";
import { readCookie, sessionCookie } from "#platform/http/cookies.js";
import type { Call } from "#platform/http/endpoint.js";
import { pathOf, signInPath } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { Notice } from "#web/parts/notice.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";
import type { Page } from "./layout.js";

/**
 * `guestLead` explains why a session is needed, for browsers without a session cookie: they never had one, or long ago.
 */
export function signedOutPage(call: Call, guestLead?: (locale: Locale) => string): Page {
  const hadSession = readCookie(call.request.headers.cookie, sessionCookie) !== undefined;
  if (hadSession) return givenBack(call, "signedOut", 401);
  return givenBack(call, "guest", 401, { lead: guestLead?.(localeOf(call.request)) });
}

/** A user whose form was sent by a page of another site without their knowledge sees here what was sent. */
export function staleFormPage(call: Call): Page {
  // A script of the site that sends no token gets JSON, as programs do.
  if (!(call.request.headers.accept ?? "").includes("text/html")) throw fail.formStale();
  return givenBack(call, "stale", fail.formStale().status);
}

type Why = "signedOut" | "guest" | "stale" | "unconfirmed";

interface Extra {
  /** Replaces the usual text. */
  lead?: string | undefined;
  /** Additional fields to fill in. */
  fields?: Children;
}

export const givenBack = (
  { request, body, staged }: Call,
  why: Why,
  status: number,
  { lead, fields }: Extra = {},
): Page => ({
  title: textsIn(texts.frame.givenBack, localeOf(request))[why].title,
  status,
  content: (
    <GivenBack
      why={why}
      lead={lead}
      path={pathOf(request)}
      isMultipart={request.isMultipart()}
      hasFiles={Object.keys(staged).length > 0}
      typed={Object.entries((body ?? {}) as Record<string, unknown>).flatMap(([name, value]) =>
        [value].flat().flatMap((text) => (typeof text === "string" ? [{ name, text }] : [])),
      )}
    >
      {fields}
    </GivenBack>
  ),
});

interface Props {
  why: Why;
  lead: string | undefined;
  path: string;
  isMultipart: boolean;
  hasFiles: boolean;
  typed: readonly TypedField[];
  children?: Children;
}

const GivenBack = ({ why, lead, path, isMultipart, hasFiles, typed, children }: Props) => {
  const t = useTexts(texts.frame.givenBack);
  return (
    <div class="stack narrow">
      <h1>{t[why].title}</h1>
      <Notice kind="warning" title={lead ?? t[why].lead}>
        {hasFiles && <p>{t.files}</p>}
      </Notice>
      {(why === "signedOut" || why === "guest") && (
        <p>
          <ButtonLink href={signInPath("/")} target="_blank" rel="noopener">
            {t.signIn}
          </ButtonLink>
        </p>
      )}
      <Form class="form" action={path} hasFiles={isMultipart}>
        {why === "unconfirmed" ? (
          <>
            {children}
            <Button>{t.confirm}</Button>
            <details open={typed.some(isSecret)}>
              <summary>{t.entered}</summary>
              <TypedFields typed={typed} />
            </details>
          </>
        ) : (
          <>
            <p>{t[why].comeBack}</p>
            <TypedFields typed={typed} />
            <Button kind={why === "stale" ? undefined : "quiet"}>{t.again}</Button>
          </>
        )}
      </Form>
      <EverythingSent path={path} typed={typed} />
    </div>
  );
};

interface TypedField {
  name: string;
  text: string;
}

/** Fields without a label are of no interest to the user: they are sent again as they came. */
const TypedFields = ({ typed }: { typed: readonly TypedField[] }) => {
  const labelOf = useLabels();
  return (
    <>
      {typed.map((field, at) => (
        <Typed key={`${field.name}-${at}`} {...field} label={labelOf(field)} id={`typed-${at}`} />
      ))}
    </>
  );
};

/** The label that the field had in its form. A text that was certainly typed by hand always has one. */
function useLabels(): (field: TypedField) => string | undefined {
  const t = useTexts(texts.frame.givenBack);
  const settings: Record<string, string> = useTexts(texts.admin.webSettings).labels;
  const labels: Record<string, string> = t.fields;
  return (field) => {
    const known = Object.hasOwn(labels, field.name) ? labels[field.name] : settings[field.name];
    if (isSecret(field)) return known ?? t.fields.password;
    if (field.text === "") return undefined;
    return known ?? (/\s/.test(field.text.trim()) ? t.otherText : undefined);
  };
}

const isSecret = ({ name }: TypedField): boolean => /password/i.test(name);

interface TypedProps extends TypedField {
  id: string;
  label: string | undefined;
}

/** Long texts have a copy button too. Passwords have to be typed again, because a page must not contain them. */
const Typed = ({ id, name, text, label }: TypedProps) => {
  if (label === undefined) return <input type="hidden" name={name} value={text} />;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {isSecret({ name, text }) ? (
        <input id={id} type="password" name={name} required autocomplete="current-password" />
      ) : (
        <textarea
          id={id}
          name={name}
          rows={text.length > 80 || text.includes("\n") ? 6 : 1}
          readonly
          value={text}
          dir="auto"
        />
      )}
    </div>
  );
};

/** The most that is shown of a value. */
const mostShown = 200;

/** A form that another site made could carry anything in its hidden fields: the user can look at them. */
const EverythingSent = ({ path, typed }: Pick<Props, "path" | "typed">) => {
  const t = useTexts(texts.frame.givenBack);
  const labelOf = useLabels();
  const hidden = typed.filter((field) => field.text !== "" && labelOf(field) === undefined);
  return (
    <details class="small">
      <summary>{t.technical}</summary>
      <dl class="facts">
        <dt>{t.to}</dt>
        <dd class="whole-text">
          <code>{path}</code>
        </dd>
        {hidden.map(({ name, text }) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd class="whole-text" dir="auto">
              <code>{text.length > mostShown ? `${text.slice(0, mostShown)}…` : text}</code>
            </dd>
          </Fragment>
        ))}
      </dl>
    </details>
  );
};
