// The view of the page that deletes an organization: its owner chooses what happens to each project.
import type { Destination } from "#content/organizations/remove.js";
import type { Organization } from "#content/organizations/shapes.js";
import type { ProjectListItem } from "#content/shapes/project.js";
import type { FormProblems } from "#web/context/form.js";
import { useFrame } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { ConfirmForm } from "#web/parts/confirm-form.js";
import { FreshNeeded } from "#web/parts/fresh-needed.js";
import { ProjectRoll } from "#web/parts/project-roll.js";
import { texts } from "#words/texts.js";
import type { Managed } from "./settings-frame.js";

/** By project id. */
export type Destinations = ReadonlyMap<string, Destination>;

interface Props {
  managed: Managed;
  isFresh: boolean;
  projects: readonly ProjectListItem[];
  targets: readonly Organization[];
  goes: Destinations;
  problems: FormProblems | undefined;
}

export const DeleteForm = ({ isFresh: fresh, ...props }: Props) => {
  const { managed, projects, problems } = props;
  const { org, path } = managed;
  const t = useTexts(texts.organizations.settings);
  return (
    <div class="stack narrow">
      <h1 dir="auto">{t.deleteTitle(org.name)}</h1>
      <p class="lead">{t.deleteLead}</p>
      {projects.length === 0 && <p>{t.deleteNone}</p>}
      {fresh ? (
        <ConfirmForm action={`${path}/delete`} button={t.delete} back={path} word={org.slug} problems={problems}>
          {projects.length > 0 && <Projects {...props} />}
        </ConfirmForm>
      ) : (
        <FreshNeeded next={`${path}/delete`} />
      )}
    </div>
  );
};

const Projects = ({ managed: { owner, rights }, projects, targets, goes, problems }: Omit<Props, "isFresh">) => {
  const t = useTexts(texts.organizations.settings);
  const { viewer } = useFrame();
  const isOwn = viewer.kind !== "anonymous" && viewer.user.id === owner.userId;
  const places = [
    { place: "owner", text: isOwn ? t.toYou : t.toOwner(owner.userName) },
    ...targets.map(({ id, name }) => ({ place: id, text: t.toOrg(name) })),
    { place: "delete", text: t.toNowhere },
  ];
  return (
    <>
      <p id="goes">{rights.isOwner ? t.deleteChoose : t.deleteProjects(owner.userName)}</p>
      {problems?.fields.goes && <span class="wrong">{problems.fields.goes}</span>}
      <ProjectRoll
        isInside
        projects={projects}
        act={({ id, name }) =>
          rights.isOwner && (
            <select name="goes" aria-label={t.goesTo(name)}>
              {places.map(({ place, text }) => (
                <option key={place} value={`${id} ${place}`} selected={goes.get(id) === place}>
                  {text}
                </option>
              ))}
            </select>
          )
        }
      />
    </>
  );
};
