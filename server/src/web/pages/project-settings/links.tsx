// A project's links: issues, source, wiki and chat; and where its authors can be supported.
import type { Static } from "typebox";
import type { Links as LinksEdit } from "#content/projects/attributes.js";
import type { Project } from "#content/shapes/project.js";
import { maxDonationLinks } from "#content/shapes/web-links.js";
import { lengths } from "#lib/lengths.js";
import { type FormProblems, formFields } from "#web/context/form.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { ConflictNotice, isStale, StampField, stampOf } from "#web/parts/conflict.js";
import { Form } from "#web/parts/form.js";
import { ProblemSummary } from "#web/parts/problem-summary.js";
import { TextField } from "#web/parts/text-field.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { texts } from "#words/texts.js";
import { PermissionMissing } from "./settings-page.js";

export const below = "/settings/links";

export const names = ["issueTracker", "sourceCode", "wikiPage", "discordServer"] as const;

/** Starts at 1. */
export const places = Array.from({ length: maxDonationLinks }, (_, at) => at + 1);

export const platformField = (at: number) => `platform${at}`;

export const addressField = (at: number) => `donation${at}`;

export const body = formFields(
  ...names,
  ...places.flatMap((at) => [platformField(at), addressField(at)]),
  "stamp",
  "next",
);

export type Typed = Static<typeof body>;

type Saved = Record<string, string>;

export const toSaved = ({ donationLinks, ...links }: LinksEdit): Saved => ({
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

interface Props {
  view: SettingsView;
  typed?: Typed;
  problems?: FormProblems;
}

export const Links = ({ view: { project, permissions }, typed, problems }: Props) => {
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
