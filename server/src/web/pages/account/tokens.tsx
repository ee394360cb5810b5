// Personal access tokens: the list, and the button that revokes one.
import type { Token } from "#accounts/tokens/contract.js";
import { type Scope, staffScope } from "#lib/scopes.js";
import { useFormat, useFrame } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Form } from "#web/parts/form.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";
import { splitScope } from "./token-scopes.js";

export const tokensPath = "/settings/pats";

interface ListProps {
  tokens: readonly Token[];
  /** The names of the projects that tokens are bound to. */
  names: ReadonlyMap<string, string>;
}

export const TokenList = ({ tokens, names }: ListProps) => {
  const t = useTexts(texts.account.token);
  return (
    <>
      {tokens.length === 0 ? (
        <EmptyState title={t.none} action={{ href: `${tokensPath}/new`, text: t.make }}>
          <p>{t.noneText}</p>
        </EmptyState>
      ) : (
        <>
          <p>
            <ButtonLink href={`${tokensPath}/new`}>{t.make}</ButtonLink>
          </p>
          <ul class="rows">
            {tokens.map((token) => (
              <TokenRow key={token.id} token={token} project={names.get(token.projectId ?? "")} />
            ))}
          </ul>
        </>
      )}
      <p class="muted small">
        <a href="/auth/leaked-token">{t.leaked}</a>
      </p>
    </>
  );
};

/** "Projects: Edit" */
const ScopeName = ({ scope }: { scope: Scope }) => {
  const t = useTexts(texts.account.scope);
  const { colon } = useTexts(texts.parts.common);
  if (scope === staffScope) return t.powers;
  const { group, verb } = splitScope(scope);
  return `${t.groups[group]}${colon}${t.verbs[verb]}`;
};

const TokenRow = ({ token, project }: { token: Token; project: string | undefined }) => {
  const t = useTexts(texts.account.token);
  const format = useFormat();
  const { now } = useFrame();
  const isPast = Date.parse(token.dateExpires) <= now;
  const { dateLastUsed } = token;
  return (
    <li class={isPast ? "card stack row-past" : "card stack"}>
      <h2>
        <bdi>{token.name}</bdi> {isPast && <span class="pill">{t.past}</span>}
      </h2>
      <dl class="facts">
        <dt>{t.created}</dt>
        <dd>
          <Time at={token.dateCreated} />
        </dd>
        <dt>{t.lastUsed}</dt>
        <dd>{dateLastUsed === null ? t.never : <Time at={dateLastUsed} />}</dd>
        <dt>{isPast ? t.ended : t.ends}</dt>
        <dd>
          <Time at={token.dateExpires} exact />
        </dd>
        {project !== undefined && (
          <>
            <dt>{t.project}</dt>
            <dd dir="auto">{project}</dd>
          </>
        )}
        <dt>{t.scopes}</dt>
        <dd>
          {token.scopes.length === 0 ? (
            t.allScopes(0)
          ) : (
            <span class="tags">
              {token.scopes.map((scope) => (
                <span key={scope} title={scope}>
                  <ScopeName scope={scope} />
                </span>
              ))}
            </span>
          )}
        </dd>
      </dl>
      <Form class="actions" action={`${tokensPath}/${token.id}/revoke`}>
        {!isPast && (
          <ButtonLink kind="quiet" small href={`${tokensPath}/${token.id}`} aria-label={`${t.edit}: ${token.name}`}>
            {t.edit}
          </ButtonLink>
        )}
        <Button kind="quiet" small aria-label={`${t.revoke}: ${token.name}`}>
          {t.revoke}
        </Button>
        {!isPast && (
          <span class="muted small">
            {dateLastUsed === null ? t.willBreakUnused : t.willBreakUsed(format.ago(Date.parse(dateLastUsed)))}
          </span>
        )}
      </Form>
    </li>
  );
};
