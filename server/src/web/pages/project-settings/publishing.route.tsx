// Publishing by programs: instructions for CI, and webhooks.

import Type, { type Static } from "typebox";
import { isFresh } from "#accounts/users/policy.js";
import { changeProject } from "#content/projects/change.js";
import * as contract from "#integrations/webhooks/contract.js";
import {
  createWebhook,
  deleteWebhook,
  editWebhook,
  getManagedWebhook,
  rotateSecret,
  toEdit,
  toInput,
  type WebhookEdit,
} from "#integrations/webhooks/edit.js";
import { pingWebhook } from "#integrations/webhooks/enqueue.js";
import {
  listDeliveries,
  listWebhooks,
  readSecret,
  showUrl,
  toDelivery,
  toWebhook,
  type WebhookRow,
} from "#integrations/webhooks/read.js";
import { write } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import { Ref } from "#platform/http/schemas.js";
import { parse } from "#platform/http/validation.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { attempt, type FormProblems, formFields, formLists, listOf } from "#web/context/form.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { ConfirmForm } from "#web/parts/confirm-form.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { texts, textsIn } from "#words/texts.js";
import { CiKeys } from "./ci-keys.js";
import { listKeys } from "./ci-keys.route.js";
import { Publishing, type ShownHook } from "./publishing.js";
import { backTo, type FormCall, type SettingsCall, settingsFormRoute, settingsPageRoute } from "./settings-page.js";
import { TrustedPublishers } from "./trusted-publishers.js";
import { loadTrusted } from "./trusted-publishers.route.js";

const below = "/settings/publishing";
const pathOf = ({ project }: SettingsView): string => `${projectPath(project.slug)}${below}`;
const hookParams = { webhookId: Ref("Webhook id") };
const shownDeliveries = 10;

const body = Type.Object({
  ...formFields("url", "form", "enabled", "act").properties,
  ...formLists("events").properties,
});
type HookBody = Static<typeof body>;

interface More {
  problems?: FormProblems;
  typed?: HookBody;
  /** The webhook that the problem is about; absent for a new one. */
  hookId?: string;
  /** The secret of a webhook that was just created or renewed. */
  secret?: string | null;
}

async function shown(view: SettingsView, call: SettingsCall, resources: Resources, more: More = {}) {
  const { db, clock, vault } = resources;
  const canManage = view.permissions.has("edit_details");
  const hooks: ShownHook[] = [];
  for (const row of canManage ? await listWebhooks(db, { kind: "project", id: view.project.id }) : [])
    hooks.push({
      hook: toWebhook(vault, row),
      deliveries: (await listDeliveries(db, row.id, { offset: 0, limit: shownDeliveries })).map((delivery) =>
        toDelivery(delivery, call.locale),
      ),
    });
  return {
    title: textsIn(texts.projectSettings.frame, call.locale).publishing,
    status: more.problems?.status,
    content: (
      <Publishing
        view={view}
        hooks={hooks}
        trusted={<TrustedPublishers view={view} {...(await loadTrusted(resources, view, call))} />}
        {...more}
      >
        <CiKeys
          view={view}
          keys={await listKeys(resources, call.viewer.user.id, view.project.id)}
          isFresh={isFresh(call.viewer, clock.now())}
        />
      </Publishing>
    ),
  };
}

export const publishingRoutes = [
  settingsPageRoute(
    { id: "getPublishingSettingsPage", below, summary: "How programs publish versions, and webhooks" },
    shown,
  ),

  settingsFormRoute(
    { id: "submitWebhook", once: true, below, summary: "Add a webhook to a project", body },
    async (view, call, resources) => {
      let secret: string | null = null;
      const problems = await attempt(
        async () => {
          const { url = "", form = "standard" } = call.body;
          const given = { url: url.trim(), form, events: listOf(call.body.events) };
          const checked = parse<Hook>("body", contract.createProjectWebhook.body, { ...given }, "body");
          const input = toInput(checked, resources);
          const row = await changeProject(resources, call, "edit_details", (tx, { id }) =>
            createWebhook(tx, { kind: "project", id }, call.viewer.user.id, input),
          );
          secret = readSecret(resources.vault, row) ?? null;
        },
        { wrongState: "url" },
      );
      if (problems) return shown(view, call, resources, { problems, typed: call.body });
      // Shown in the answer itself, because a secret must not be in a URL.
      return secret === null ? backTo(call.reply, undefined, pathOf(view)) : shown(view, call, resources, { secret });
    },
  ),

  settingsFormRoute(
    {
      id: "submitWebhookEdit",
      below: `${below}/:webhookId`,
      params: hookParams,
      summary: "Change, test or re-key a webhook",
      body,
    },
    async (view, call, resources) => {
      const hookId = call.params.webhookId!;
      let secret: string | null = null;
      const problems = await attempt(async () => {
        secret = await act(view, call, resources);
      });
      if (problems) return shown(view, call, resources, { problems, typed: call.body, hookId });
      return secret === null ? backTo(call.reply, undefined, pathOf(view)) : shown(view, call, resources, { secret });
    },
  ),

  settingsPageRoute(
    {
      id: "getDeleteWebhookPage",
      below: `${below}/:webhookId/delete`,
      params: hookParams,
      summary: "Ask for confirmation before a webhook is deleted",
    },
    async (view, call, { db, vault }) => {
      const hook = await getOwnHook(view, call.viewer, { db }, call.params.webhookId!);
      return {
        title: textsIn(texts.projectSettings.publishing, call.locale).removeTitle,
        content: <DeleteHook view={view} id={hook.id} url={showUrl(vault, hook)} />,
      };
    },
  ),

  settingsFormRoute(
    {
      id: "submitDeleteWebhook",
      once: true,
      below: `${below}/:webhookId/delete`,
      params: hookParams,
      summary: "Delete a webhook",
      body: Type.Object({}),
    },
    async (view, call, resources) => {
      await write(resources, call.actor, async (tx) =>
        deleteWebhook(tx, await getOwnHook(view, call.viewer, tx, call.params.webhookId!)),
      );
      return backTo(call.reply, undefined, pathOf(view));
    },
  ),
];

type Hook = { url: string; form: WebhookRow["form"]; events: string[] };

/** Finds webhooks of this project only, even if the visitor may manage others. */
async function getOwnHook(
  { project }: SettingsView,
  viewer: SignedIn,
  { db }: Pick<Resources, "db">,
  id: string,
): Promise<WebhookRow> {
  const hook = await getManagedWebhook(db, viewer, id);
  if (hook.owner_id !== project.id) throw fail.webhookNotFound();
  return hook;
}

/** Returns the secret if a new one was created. */
async function act(view: SettingsView, call: FormCall<HookBody>, resources: Resources): Promise<string | null> {
  const { body: typed, viewer, params } = call;
  const change = typed.act === undefined || typed.act === "save" ? checkEdit(typed) : undefined;
  return write(resources, call.actor, async (tx) => {
    const hook = await getOwnHook(view, viewer, tx, params.webhookId!);
    if (typed.act === "ping") await pingWebhook(tx, hook);
    else if (typed.act === "rotate") {
      const row = await rotateSecret(tx, hook, true);
      return readSecret(resources.vault, row) ?? null;
    } else if (change) await editWebhook(tx, hook, toEdit(change, hook, resources));
    return null;
  });
}

/** An empty URL leaves the present one. */
function checkEdit(typed: HookBody): WebhookEdit {
  const url = typed.url?.trim();
  const given = { ...(url && { url }), events: listOf(typed.events), enabled: typed.enabled !== undefined };
  return parse<WebhookEdit>("body", contract.editWebhook.body, given, "body");
}

const DeleteHook = ({ view, id, url }: { view: SettingsView; id: string; url: string }) => {
  const t = useTexts(texts.projectSettings.publishing);
  return (
    <ConfirmForm action={`${pathOf(view)}/${id}/delete`} button={t.removeButton} back={pathOf(view)}>
      <p>
        <code>{url}</code>
      </p>
      <p>{t.removeText}</p>
    </ConfirmForm>
  );
};
