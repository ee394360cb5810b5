// Where else a project is: its issues, source, wiki and talk; and where its authors can be supported.

import type { Static } from "typebox";
import { type Links as LinksEdit, setLinks, toLinks } from "#content/projects/attributes.js";
import { changeProject } from "#content/projects/change.js";
import { updateProjectLinks } from "#content/projects/edit-contract.js";
import type { Project } from "#content/shapes/project.js";
import { maxDonationLinks } from "#content/shapes/web-links.js";
import { lengths } from "#lib/lengths.js";
import { Failure, invalid } from "#platform/errors.js";
import { parse } from "#platform/http/validation.js";
import { attempt, type FormProblems, formFields } from "#web/context/form.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { ConflictNotice, checkStamp, isStale, StampField, staleField, stampOf } from "#web/parts/conflict.js";
import { Form } from "#web/parts/form.js";
import { ProblemSummary } from "#web/parts/problem-summary.js";
import { TextField } from "#web/parts/text-field.js";
import { getSettingsView, type SettingsView } from "#web/shared/settings-view.js";
import { texts, textsIn } from "#words/texts.js";
import { backTo, PermissionMissing, settingsFormRoute, settingsPageRoute } from "./settings-page.js";

const below = "/settings/links";
const names = ["issueTracker", "sourceCode", "wikiPage", "discordServer"] as const;
/** From 1. */
const places = Array.from({ length: maxDonationLinks }, (_, at) => at + 1);
const platformField = (at: number) => `platform${at}`;
const addressField = (at: number) => `donation${at}`;
const body = formFields(...names, ...places.flatMap((at) => [platformField(at), addressField(at)]), "stamp", "next");
type Typed = Static<typeof body>;
type Saved = Record<string, string>;

const toSaved = ({ donationLinks, ...links }: LinksEdit): Saved => ({
  ...Object.fromEntries(names.map((name) => [name, links[name] ?? ""])),
  ...Object.fromEntries(
    places.flatMap((at) => [
      [platformField(at), donationLinks[at - 1]?.platform ?? ""],
      [addressField(at), donationLinks[at - 1]?.url ?? ""],
    ]),
  ),
});

const saved = (project: Project): Saved =>
  toSaved({
    issueTracker: project.issueTrackerUrl,
    sourceCode: project.projectSourceUrl,
    wikiPage: project.projectWikiUrl,
    discordServer: project.discordInviteUrl,
    donationLinks: project.donationLinks,
  });

export const linkRoutes = [
  settingsPageRoute(
    { id: "getLinkSettingsPage", below, summary: "The form for a project's links" },
    async (view, { locale }) => ({
      title: textsIn(texts.projectSettings.frame, locale).links,
      content: <Links view={view} />,
    }),
  ),

  settingsFormRoute(
    { id: "submitLinks", below, summary: "Save a project's links", body },
    async (view, call, resources) => {
      const { stamp, next, ...typed } = call.body;
      const problems = await attempt(async () => {
        const input = toEdit(typed);
        await changeProject(resources, call, "edit_details", async (tx, project) => {
          checkStamp(stamp, toSaved(toLinks(project)));
          await setLinks(tx, project, input).catch(atFields(typed));
        });
      }, staleField);
      if (!problems) return backTo(call.reply, next, `${projectPath(view.project.slug)}${below}`);
      const present = isStale(problems) ? await getSettingsView(resources, call.viewer, view.project.id) : view;
      return {
        title: textsIn(texts.projectSettings.frame, call.locale).links,
        status: problems.status,
        content: <Links view={present} typed={typed} problems={problems} />,
      };
    },
  ),
];

/** Forms that do not know of support leave it as it is. A row in which nothing was typed is none. */
function toEdit(typed: Typed): Partial<LinksEdit> {
  const given = Object.fromEntries(names.map((name) => [name, (typed[name] ?? "").trim()]));
  const knowsSupport = typed[platformField(1)] !== undefined;
  const donationLinks = filledPlaces(typed).map((at) => rowOf(typed, at));
  try {
    const whole = { ...given, ...(knowsSupport && { donationLinks }) };
    return parse<Partial<LinksEdit>>("body", updateProjectLinks.body, whole, "body");
  } catch (error) {
    return atFields(typed)(error);
  }
}

const rowOf = (typed: Typed, at: number) => ({
  platform: (typed[platformField(at)] ?? "").trim(),
  url: (typed[addressField(at)] ?? "").trim(),
});
const filledPlaces = (typed: Typed): number[] =>
  places.filter((at) => rowOf(typed, at).platform !== "" || rowOf(typed, at).url !== "");

/** The API counts links, the form counts rows. */
const atFields =
  (typed: Typed) =>
  (error: unknown): never => {
    if (!(error instanceof Failure) || !error.issues) throw error;
    throw invalid(
      ...error.issues.map(({ path, message }) => {
        const [, at, part] = /^donationLinks[/.](\d+)[/.](platform|url)$/.exec(path) ?? [];
        const place = at === undefined ? undefined : filledPlaces(typed)[Number(at)];
        if (place === undefined) return { path, message };
        return { path: part === "url" ? addressField(place) : platformField(place), message };
      }),
    );
  };

interface Props {
  view: SettingsView;
  typed?: Typed;
  problems?: FormProblems;
}

const Links = ({ view: { project, permissions }, typed, problems }: Props) => {
  const t = useTexts(texts.projectSettings.links);
  const now = saved(project);
  const canEdit = permissions.has("edit_details");
  const shownIn = (name: string): string => typed?.[name] ?? now[name] ?? "";
  const filled = places.filter((at) => shownIn(platformField(at)) !== "" || shownIn(addressField(at)) !== "");
  const labels = Object.fromEntries([
    ...Object.entries(t.labels),
    ...places.flatMap((at) => [
      [platformField(at), t.platform(at)],
      [addressField(at), t.address(at)],
    ]),
  ]);
  return (
    <>
      <p class="lead">{t.lead}</p>
      {!canEdit && <PermissionMissing permission="edit_details" />}
      {isStale(problems) ? (
        <ConflictNotice saved={now} typed={typed ?? {}} labels={labels} />
      ) : (
        problems && <ProblemSummary problems={problems} labels={labels} />
      )}
      <Form class="form card" action={`${projectPath(project.slug)}${below}`}>
        <StampField stamp={stampOf(now)} />
        <fieldset class="form" disabled={!canEdit}>
          {names.map((name) => (
            <TextField
              key={name}
              name={name}
              label={t.labels[name]}
              value={shownIn(name)}
              lengths={lengths.link}
              problems={problems}
            />
          ))}
        </fieldset>
        <fieldset class="form" disabled={!canEdit}>
          <legend>{t.support}</legend>
          <p class="hint">{t.supportHint}</p>
          {places.slice(0, Math.max(...filled, 0) + 1).map((at) => (
            <div class="side-by-side" key={at}>
              <TextField
                name={platformField(at)}
                label={t.platform(at)}
                value={shownIn(platformField(at))}
                lengths={lengths.donationPlatform}
                problems={problems}
              />
              <TextField
                name={addressField(at)}
                label={t.address(at)}
                value={shownIn(addressField(at))}
                lengths={lengths.link}
                problems={problems}
              />
            </div>
          ))}
        </fieldset>
        {canEdit && <Button>{t.save}</Button>}
      </Form>
    </>
  );
};
