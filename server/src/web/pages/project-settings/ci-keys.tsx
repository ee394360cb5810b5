// Keys for builds: tokens that work for this one project and publish its versions, and nothing else.

import { createToken as contract } from "#accounts/tokens/contract.js";
import { listTokenRows } from "#accounts/tokens/read.js";
import { createToken } from "#accounts/tokens/write.js";
import { isFresh } from "#accounts/users/policy.js";
import { getBoundId } from "#content/projects/change.js";
import type { Scope } from "#lib/scopes.js";
import { write } from "#platform/changes/write.js";
import type { Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import { parse } from "#platform/http/validation.js";
import { attempt, type FormProblems, formFields } from "#web/context/form.js";
import { useFrame } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { FreshNeeded } from "#web/parts/fresh-needed.js";
import { SelectField } from "#web/parts/input-fields.js";
import { ProblemSummary } from "#web/parts/problem-summary.js";
import { ShownOnce } from "#web/parts/shown-once.js";
import { TextField } from "#web/parts/text-field.js";
import { Time } from "#web/parts/time.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { lifetimes } from "#web/shared/token-lifetimes.js";
import { texts, textsIn } from "#words/texts.js";
import { type FormCall, settingsFormRoute } from "./settings-page.js";

const below = "/settings/publishing/keys";
const scopes: Scope[] = ["project_read", "version_create", "version_read"];
const day = 24 * 60 * 60 * 1000;

/** The visitor's own, newest first: others' keys are theirs to see. */
export const listKeys = async ({ db }: Resources, userId: string, projectId: string): Promise<Row<"tokens">[]> =>
  (await listTokenRows(db, userId)).filter((token) => token.project_id === projectId);

const body = formFields("name", "days");
type Typed = { name?: string; days?: string };

export const ciKeyRoutes = [
  settingsFormRoute(
    { id: "submitCiKey", once: true, below, summary: "Make a key that publishes versions of one project", body },
    async (view, call, resources) => {
      const { locale } = call;
      const action = `${projectPath(view.project.slug)}/settings/publishing`;
      const title = textsIn(texts.projectSettings.ciKeys, locale).title;
      if (!isFresh(call.viewer, resources.clock.now()))
        return { title, status: 403, content: <FreshNeeded next={`${action}#keys`} /> };
      let value = "";
      const problems = await attempt(async () => {
        value = await makeKey(view, call, resources);
      });
      if (!problems)
        return {
          title: textsIn(texts.account.token, locale).shownTitle,
          content: <ShownOnce value={value} next="/settings/pats" />,
        };
      const keys = await listKeys(resources, call.viewer.user.id, view.project.id);
      const content = <CiKeys view={view} keys={keys} isFresh typed={call.body} problems={problems} />;
      return { title, status: problems.status, content };
    },
  ),
];

async function makeKey(view: SettingsView, call: FormCall<Typed>, resources: Resources): Promise<string> {
  const { name = "", days = "" } = call.body;
  if (!view.permissions.has("upload_version")) throw fail.permissionMissing("upload_version");
  const given = { name: name.trim(), dateExpires: "2099-12-31", authScopes: scopes };
  const input = parse<typeof given>("body", contract.body, { ...given }, "body");
  const life = (lifetimes as readonly string[]).includes(days) ? Number(days) : 90;
  const projectId = await getBoundId(resources.db, call.viewer, view.project.id);
  const dateExpires = resources.clock.now() + life * day;
  const { value } = await write(resources, call.actor, (tx) =>
    createToken(tx, call.viewer.user.id, { name: input.name, scopes, dateExpires, projectId }),
  );
  return value;
}

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
