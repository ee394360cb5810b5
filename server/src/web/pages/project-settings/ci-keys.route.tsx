// The routes of the page in ci-keys.tsx.
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
import { attempt, formFields } from "#web/context/form.js";
import { projectPath } from "#web/context/project-path.js";
import { FreshNeeded } from "#web/parts/fresh-needed.js";
import { ShownOnce } from "#web/parts/shown-once.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { lifetimes } from "#web/shared/token-lifetimes.js";
import { texts, textsIn } from "#words/texts.js";
import { below, CiKeys, type Typed } from "./ci-keys.js";
import { type FormCall, settingsFormRoute } from "./settings-page.js";

const scopes: Scope[] = ["project_read", "version_create", "version_read"];

const day = 24 * 60 * 60 * 1000;

/** The visitor's own keys, newest first; those of others are private. */
export const listKeys = async ({ db }: Resources, userId: string, projectId: string): Promise<Row<"tokens">[]> =>
  (await listTokenRows(db, userId)).filter((token) => token.project_id === projectId);

const body = formFields("name", "days");

export const ciKeyRoutes = [
  settingsFormRoute(
    { id: "submitCiKey", once: true, below, summary: "Create a key that publishes versions of one project", body },
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
