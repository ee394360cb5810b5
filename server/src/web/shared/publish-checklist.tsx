// The checklist of a project: the missing parts, with forms to add them in place, and the button that submits it for
// review. Shown to its team on the project's page, and on its moderation page.

import { environments as environmentNames } from "#content/shapes/project.js";
import type { Element } from "#lib/jsx-runtime.js";
import { lengths } from "#lib/lengths.js";
import type { FormProblems } from "#web/context/form.js";
import { useFrame } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { Icon } from "#web/parts/icon.js";
import { SelectField, TextAreaField } from "#web/parts/input-fields.js";
import { LicenseSelect } from "#web/parts/license-select.js";
import { texts } from "#words/texts.js";
import { useIsOwner } from "./changes-banner.js";
import { type ChecklistItem, type ChecklistSubject, listItems } from "./checklist-items.js";
import { findNamedLicense } from "./named-license.js";

interface Props {
  view: ChecklistSubject;
  problems?: FormProblems | undefined;
  note?: string | undefined;
}

/** Renders nothing for users outside of the team, and after the project was submitted. */
export const PublishChecklist = ({ view, problems, note }: Props) => {
  const t = useTexts(texts.projectSettings.checklist);
  const { project, permissions } = view;
  if (permissions.size === 0 || project.status === "approved" || project.status === "processing") return null;
  const items = listItems(view);
  const missing = items.filter(({ isRequired, isDone }) => isRequired && !isDone).length;
  return (
    <section class="card stack checklist" id="checklist" aria-labelledby="checklist-title">
      <h2 id="checklist-title">{missing === 0 ? t.ready : t.title}</h2>
      <p class="small">
        <progress max={items.length} value={items.filter(({ isDone }) => isDone).length} aria-hidden="true" />{" "}
        {t.progress(items.filter(({ isDone }) => isDone).length, items.length)}
      </p>
      {[true, false].map((isRequired) => (
        <div key={String(isRequired)} class="stack">
          <h3>{isRequired ? t.required : t.suggested}</h3>
          <ul class="check-items">
            {items
              .filter((item) => item.isRequired === isRequired)
              .map((item) => (
                <Item key={item.name} item={item} view={view} />
              ))}
          </ul>
        </div>
      ))}
      <SubmitForm view={view} missing={missing} problems={problems} note={note} />
    </section>
  );
};

const Item = ({ item, view }: { item: ChecklistItem; view: ChecklistSubject }) => {
  const t = useTexts(texts.projectSettings.checklist);
  const path = projectPath(view.project.slug);
  const canMend = view.permissions.has(item.permission);
  const MendForm = canMend && !item.isDone ? forms[item.name] : undefined;
  return (
    <li class={item.isDone ? "done" : undefined}>
      <p>
        {item.isDone ? <Icon name="check" /> : <span aria-hidden="true">○</span>} {t.items[item.name]}{" "}
        <span class="visually-hidden">({item.isDone ? t.done : t.open})</span>
        {canMend && !item.isDone && !MendForm && <MendLink item={item} to={`${path}${item.place}`} />}
      </p>
      {MendForm && <MendForm view={view} />}
    </li>
  );
};

const MendLink = ({ item: { name }, to }: { item: ChecklistItem; to: string }) => {
  const t = useTexts(texts.projectSettings.checklist);
  if (name === "version")
    return (
      <ButtonLink small href={to}>
        {t.upload}
      </ButtonLink>
    );
  return (
    <a href={to} aria-label={`${t.edit}: ${t.items[name]}`}>
      {t.edit}
    </a>
  );
};

const Next = ({ view }: { view: ChecklistSubject }) => {
  const { path } = useFrame();
  const here = path.endsWith("/moderation") ? path : projectPath(view.project.slug);
  return <input type="hidden" name="next" value={`${here}#checklist`} />;
};

const DescriptionForm = ({ view }: { view: ChecklistSubject }) => {
  const t = useTexts(texts.projectSettings.checklist);
  const action = `${projectPath(view.project.slug)}/settings/description`;
  return (
    <Form class="form" action={action} hasFiles>
      <Next view={view} />
      <TextAreaField name="description" label={t.describe} rows={5} lengths={lengths.projectDescription} required />
      <Button small>{t.saveDescription}</Button>
    </Form>
  );
};

const LicenseForm = ({ view }: { view: ChecklistSubject }) => {
  const t = useTexts(texts.projectSettings.checklist);
  const { found } = useTexts(texts.projectSettings.license);
  const named = findNamedLicense(view.taxonomy, view.namedLicense ?? null);
  const path = `${projectPath(view.project.slug)}/settings/license`;
  return (
    <Form class="form" action={path}>
      <Next view={view} />
      <LicenseSelect
        taxonomy={view.taxonomy}
        value={named}
        hint={named === "" ? undefined : found(view.namedLicense ?? "")}
        isShort
        isRequired
      />
      <div class="actions">
        <Button small>{t.saveLicense}</Button>
        <a href={path}>{t.otherLicense}</a>
      </div>
    </Form>
  );
};

const SidesForm = ({ view: { project, taxonomy, ...view } }: { view: ChecklistSubject }) => {
  const t = useTexts(texts.projectSettings.checklist);
  const { environments, labels } = useTexts(texts.projectSettings.general);
  const fixed = taxonomy.environmentFor(project.type, { clientSide: "unknown", serverSide: "unknown" });
  const open = (["clientSide", "serverSide"] as const).filter((name) => fixed[name] === "unknown");
  return (
    <Form class="form" action={`${projectPath(project.slug)}/settings`}>
      <Next view={{ project, taxonomy, ...view }} />
      <div class="side-by-side">
        {open.map((name) => (
          <SelectField
            key={name}
            name={name}
            label={labels[name]}
            value={project[name]}
            options={environmentNames.map((value) => ({ value, text: environments[value] }))}
          />
        ))}
      </div>
      <Button small>{t.saveSides}</Button>
    </Form>
  );
};

/** Items with a form in place; the others have a page of their own. */
const forms: Partial<Record<ChecklistItem["name"], (props: { view: ChecklistSubject }) => Element>> = {
  description: DescriptionForm,
  license: LicenseForm,
  sides: SidesForm,
};

interface SubmitProps extends Props {
  missing: number;
}

const SubmitForm = ({ view, missing, problems, note }: SubmitProps) => {
  const t = useTexts(texts.projectSettings.checklist);
  const { slug, status } = view.project;
  if (!useIsOwner(view.project)) return <p class="muted">{t.ownerOnly}</p>;
  if (missing > 0) return <p class="muted">{t.openIn(missing)}</p>;
  return (
    <Form class="form" action={`${projectPath(slug)}/submit`}>
      <TextAreaField
        name="note"
        label={t.note}
        hint={t.noteHint}
        rows={3}
        lengths={lengths.threadMessage}
        value={note}
        problems={problems}
      />
      <Button>{status === "draft" ? t.submit : t.resubmit}</Button>
    </Form>
  );
};
