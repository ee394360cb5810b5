// The page on which a user signs a program in: the code, then who asks for what, and the decision.
import { showUserCode, tokenLifeDays } from "#accounts/devices/policy.js";
import type { DeviceRequest } from "#accounts/devices/write.js";
import { fromJson } from "#lib/json.js";
import { useFrame } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { Notice } from "#web/parts/notice.js";
import { TextField } from "#web/parts/text-field.js";
import { Time } from "#web/parts/time.js";
import { countryName } from "#web/shared/country-name.js";
import { texts } from "#words/texts.js";
import { ScopeList } from "./scope-list.js";
import { tokensPath } from "./tokens.js";

export const path = "/device";

/** Sent by GET, so that the address of the next page is the one that programs open. */
export const CodeForm = ({ typed, isWrong }: { typed: string; isWrong: boolean }) => {
  const t = useTexts(texts.applications.device);
  return (
    <Form method="get" class="form card" action={path}>
      <TextField
        name="code"
        label={t.code}
        hint={t.codeHint}
        value={typed}
        lengths={[8, 20]}
        required
        verbatim
        problems={isWrong ? { status: 404, message: t.unknown, fields: { code: t.unknown } } : undefined}
      />
      <div class="actions">
        <Button>{t.continue}</Button>
      </div>
    </Form>
  );
};

export const Decision = ({ request, userName }: { request: DeviceRequest; userName: string }) => {
  const t = useTexts(texts.applications.device);
  const { bracketed } = useTexts(texts.parts.common);
  const { locale } = useFrame();
  const { program, country } = request;
  const scopes = fromJson(request.scopes);
  const place = [request.address, country && countryName(country, locale)].filter(Boolean).join(", ");
  return (
    <div class="stack narrow">
      <h1 dir="auto">{t.askTitle(program)}</h1>
      <p class="lead">{t.askLead(program, userName)}</p>
      <Notice kind="warning" title={t.warning}>
        <p>{t.warningText}</p>
      </Notice>
      <div class="card stack">
        <dl class="facts">
          <dt>{t.code}</dt>
          <dd>
            <code>{showUserCode(request.user_code)}</code>
          </dd>
          <dt>{t.program}</dt>
          <dd>
            <bdi>{program}</bdi> <span class="muted">{bracketed(t.programNote)}</span>
          </dd>
          <dt>{t.from}</dt>
          <dd>{place || t.unknownPlace}</dd>
          <dt>{t.asked}</dt>
          <dd>
            <Time at={request.date_created} />
          </dd>
          <dt>{t.account}</dt>
          <dd>{userName}</dd>
        </dl>
        <h2>{t.can}</h2>
        {scopes.length === 0 ? <p>{t.nothing}</p> : <ScopeList scopes={scopes} />}
        <p class="muted small">{t.cannot}</p>
        <p class="muted small">{t.howLong(tokenLifeDays)}</p>
        <Form class="actions" action={path} fields={{ code: request.user_code }}>
          <Button name="decision" value="approve">
            {t.approve}
          </Button>
          <Button kind="quiet" name="decision" value="deny">
            {t.deny}
          </Button>
        </Form>
      </div>
    </div>
  );
};

export const ToTokens = () => {
  const t = useTexts(texts.applications.device);
  return (
    <p>
      <a href={tokensPath}>{t.toTokens}</a>
    </p>
  );
};
