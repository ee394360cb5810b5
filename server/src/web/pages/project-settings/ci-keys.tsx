// CI keys: tokens that can publish versions of this project, and nothing else.
import type { Row } from "#platform/db/tables.js";
import type { FormProblems } from "#web/context/form.js";
import { useFrame } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { FreshNeeded } from "#web/parts/fresh-needed.js";
import { SelectField } from "#web/parts/input-fields.js";
import { ProblemSummary } from "#web/parts/problem-summary.js";
import { TextField } from "#web/parts/text-field.js";
import { Time } from "#web/parts/time.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { lifetimes } from "#web/shared/token-lifetimes.js";
import { texts } from "#words/texts.js";

export const below = "/settings/publishing/keys";

export type Typed = { name?: string; days?: string };

interface Props {
  view: SettingsView;
  keys: readonly Row<"tokens">[];
  isFresh: boolean;
  typed?: Typed;
  problems?: FormProblems;
}

export const CiKeys = ({ view, keys, isFresh: fresh, typed, problems }: Props) => {
  const t = useTexts(texts.projectSettings.ciKeys);
  const words = useTexts(texts.account.token);
  const action = `${projectPath(view.project.slug)}${below}`;
  const place = `${projectPath(view.project.slug)}/settings/publishing#keys`;
  return (
    <section class="stack" id="keys">
      <h2>{t.title}</h2>
      <p>{t.lead}</p>
      {problems && <ProblemSummary problems={problems} labels={{ name: words.name }} />}
      {keys.length === 0 && <p class="muted">{t.none}</p>}
      <ul class="rows">
        {keys.map((key) => (
          <Key key={key.id} token={key} />
        ))}
      </ul>
      {view.permissions.has("upload_version") &&
        (fresh ? (
          <Form class="form card" action={action}>
            <TextField
              name="name"
              label={words.name}
              hint={t.nameHint}
              value={typed?.name}
              lengths={[0, 64]}
              required
              problems={problems}
            />
            <SelectField
              name="days"
              label={words.expiry}
              value={typed?.days ?? "90"}
              options={lifetimes.map((value) => ({ value, text: words.days(Number(value)) }))}
            />
            <Button>{t.make}</Button>
          </Form>
        ) : (
          <FreshNeeded next={place} />
        ))}
    </section>
  );
};

const Key = ({ token }: { token: Row<"tokens"> }) => {
  const t = useTexts(texts.projectSettings.ciKeys);
  const { now } = useFrame();
  const isPast = token.date_expires <= now;
  return (
    <li class={isPast ? "card row row-past" : "card row"}>
      <div class="grow">
        <h3>
          <bdi>{token.name}</bdi> {isPast && <span class="pill">{t.past}</span>}
        </h3>
        <p class="small muted">
          {token.date_last_used === null ? (
            t.unused
          ) : (
            <>
              {t.lastUsed} <Time at={token.date_last_used} />
            </>
          )}{" "}
          · {t.until} <Time at={token.date_expires} exact />
        </p>
      </div>
      <ButtonLink kind="quiet" small href={`/settings/pats/${token.id}`} aria-label={`${t.manage}: ${token.name}`}>
        {t.manage}
      </ButtonLink>
    </li>
  );
};
