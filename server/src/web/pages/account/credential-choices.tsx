// The credentials of an account besides its password: choices in the form for a new password, and a list of those that
// are left.

import { knownProviders } from "#accounts/providers/known-providers.js";
import type { CredentialKind, RemainingCredentials } from "#accounts/users/password-contract.js";
import { formLists, listOf } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { Notice } from "#web/parts/notice.js";
import { texts } from "#words/texts.js";

/** The fields of the choices, for the form's body. */
export const choiceFields = formLists("keepTokens", "drop").properties;

interface Typed {
  keepTokens?: string | string[];
  drop?: string | string[];
}

export const toChoice = ({ keepTokens, drop }: Typed) => ({ keepTokens: listOf(keepTokens), drop: listOf(drop) });

interface Props {
  credentials: RemainingCredentials;
  /** Only tokens are offered. */
  onlyTokens?: boolean;
  /** The choices in a form that was refused. */
  typed?: Typed | undefined;
}

export const CredentialChoices = ({ credentials, onlyTokens = false, typed = {} }: Props) => {
  const t = useTexts(texts.account.credentials);
  const others = useOthers(credentials);
  const chosen = toChoice(typed);
  return (
    <>
      {credentials.tokens.length > 0 && (
        <fieldset class="field">
          <legend>{t.keep}</legend>
          <span class="hint">{t.keepHint}</span>
          {credentials.tokens.map(({ id, name }) => (
            <label key={id} class="check">
              <input type="checkbox" name="keepTokens" value={id} checked={chosen.keepTokens.includes(id)} />{" "}
              <span dir="auto">{name}</span>
            </label>
          ))}
        </fieldset>
      )}
      {!onlyTokens && others.length > 0 && (
        <fieldset class="field">
          <legend>{t.drop}</legend>
          <span class="hint">{t.dropHint}</span>
          {others.map(({ kind, text }) => (
            <label key={kind} class="check">
              <input type="checkbox" name="drop" value={kind} checked={chosen.drop.includes(kind)} /> {text}
            </label>
          ))}
        </fieldset>
      )}
    </>
  );
};

export const CredentialsLeft = ({ credentials }: Pick<Props, "credentials">) => {
  const t = useTexts(texts.account.credentials);
  const others = useOthers(credentials);
  const { tokens, secondFactor } = credentials;
  const isNothing = others.length + tokens.length === 0;
  return (
    <Notice title={isNothing ? t.leftNone : t.left}>
      {!isNothing && (
        <ul>
          {tokens.length > 0 && (
            <li>
              <a href="/settings/pats">{t.tokens(tokens.length)}</a>
            </li>
          )}
          {others.map(({ kind, text, href }) => (
            <li key={kind}>{href ? <a href={href}>{text}</a> : text}</li>
          ))}
        </ul>
      )}
      {secondFactor && <p>{t.secondFactor}</p>}
    </Notice>
  );
};

export const AllCredentialsRemoved = () => {
  const t = useTexts(texts.account.credentials);
  return (
    <Notice kind="warning" title={t.allGone}>
      <p>{t.allGoneWhy}</p>
    </Notice>
  );
};

function useOthers({ passkeys, providers, publishers, feedKey }: RemainingCredentials) {
  const t = useTexts(texts.account.credentials);
  const titles = providers.map((name) => (knownProviders as Record<string, { title: string }>)[name]?.title ?? name);
  const all: { kind: CredentialKind; text: string; href?: string; isThere: boolean }[] = [
    {
      kind: "passkeys",
      text: t.passkeys(passkeys.length),
      href: "/settings/security",
      isThere: passkeys.length > 0,
    },
    {
      kind: "providers",
      text: t.providers(titles.join(", ")),
      href: "/settings/account",
      isThere: providers.length > 0,
    },
    {
      kind: "publishers",
      text: `${t.publishers(publishers.length)} (${publishers.map(({ repository, project }) => `${repository} → ${project}`).join(", ")})`,
      isThere: publishers.length > 0,
    },
    { kind: "feedKey", text: t.feedKey, href: "/feeds", isThere: feedKey },
  ];
  return all.filter(({ isThere }) => isThere);
}
