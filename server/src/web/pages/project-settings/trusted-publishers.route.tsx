// The routes of the page in trusted-publishers.tsx.
import { isFresh } from "#accounts/users/policy.js";
import { changeProject } from "#content/projects/change.js";
import { createTrustedPublisher as contract } from "#content/publishers/contract.js";
import { listPublishers } from "#content/publishers/read.js";
import { createPublisher, deletePublisher, type PublisherInput } from "#content/publishers/write.js";
import type { Resources } from "#platform/http/resources.js";
import { Ref } from "#platform/http/schemas.js";
import { parse } from "#platform/http/validation.js";
import { attempt, formFields } from "#web/context/form.js";
import { projectPath } from "#web/context/project-path.js";
import { FreshNeeded } from "#web/parts/fresh-needed.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { texts, textsIn } from "#words/texts.js";
import { backTo, type SettingsCall, settingsFormRoute } from "./settings-page.js";
import { below, body, names, place, TrustedPublishers, type TrustedState } from "./trusted-publishers.js";

/** Only members who may publish see them. */
export const loadTrusted = async (
  { db, config, clock }: Resources,
  { project, permissions }: SettingsView,
  { viewer }: SettingsCall,
): Promise<TrustedState> => ({
  issuers: config.trustedIssuers,
  publishers: permissions.has("upload_version") ? await listPublishers(db, project.id) : [],
  isFresh: isFresh(viewer, clock.now()),
});

export const trustedPublisherRoutes = [
  settingsFormRoute(
    {
      id: "submitTrustedPublisher",
      once: true,
      below,
      summary: "Trust the builds of a repository to publish versions of a project",
      body,
    },
    async (view, call, resources) => {
      const title = textsIn(texts.projectSettings.trusted, call.locale).title;
      const path = `${projectPath(view.project.slug)}${place}`;
      if (!isFresh(call.viewer, resources.clock.now()))
        return { title, status: 403, content: <FreshNeeded next={`${path}#publishers`} /> };
      const problems = await attempt(
        async () => {
          const given = Object.fromEntries(names.map((name) => [name, (call.body[name] ?? "").trim()]));
          const input = parse<PublisherInput>("body", contract.body, given, "body");
          await changeProject(resources, call, "upload_version", (tx, project) =>
            createPublisher(tx, project, call.viewer.user.id, input, resources.config.trustedIssuers),
          );
        },
        { publisherKnown: "repository", limitReached: "repository" },
      );
      if (!problems) return backTo(call.reply, undefined, `${path}#publishers`);
      const state = await loadTrusted(resources, view, call);
      const content = <TrustedPublishers view={view} {...state} typed={call.body} problems={problems} />;
      return { title, status: problems.status, content };
    },
  ),

  settingsFormRoute(
    {
      id: "submitTrustedPublisherRemoval",
      below: `${below}/:publisherId/remove`,
      params: { publisherId: Ref("The trusted publisher's id") },
      summary: "Stop trusting the builds of a repository",
      body: formFields(),
    },
    async (view, call, resources) => {
      await changeProject(resources, call, "upload_version", (tx, project) =>
        deletePublisher(tx, project, call.params.publisherId!),
      );
      return backTo(call.reply, undefined, `${projectPath(view.project.slug)}${place}#publishers`);
    },
  ),
];
