// The routes of the forms in taxonomy-entries.tsx. A new entry and a new order take effect at once; changes and removals
// are shown with their effects first.
import Type from "typebox";
import type { ParsedTaxonomy, TaxonomyDocument } from "#content/taxonomy/document.js";
import {
  addEntry,
  type EntryList,
  editEntry,
  entryLists,
  findEntry,
  moveEntry,
  nameOf,
  orderEntries,
  removeEntry,
} from "#content/taxonomy/edit-entry.js";
import { setTaxonomy, webSource } from "#content/taxonomy/write.js";
import type { Problem } from "#content/taxonomy/yaml-source.js";
import { write } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import type { Route } from "#platform/http/endpoint.js";
import { anyTexts, formFields, listOf } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { forAdmins } from "#web/shared/staff-access.js";
import { type Said, say } from "#words/said.js";
import { adminPage } from "./admin-frame.js";
import { loadTaxonomy, previewPage, refuseIfLocked, taxonomyPage } from "./taxonomy.route.js";
import { type EntryValues, entryPath, TaxonomyEntry, type Typed } from "./taxonomy-entries.js";

const entryTexts = ["name", "label", "plural", "path", "icon", "color", "kind", "releaseType"] as const;

type EntryFields = Partial<Record<(typeof entryTexts)[number] | "action" | "major" | "order", string>> & {
  projectTypes?: string | string[];
};

const findList = (name: string | undefined): EntryList => {
  const list = entryLists.find((each) => each === name);
  if (!list) throw fail.notFound();
  return list;
};

/** The entry that a form describes. Empty fields are undefined. */
function toEntry(list: EntryList, { name = "", major, projectTypes, ...texts }: EntryFields): object {
  const given = Object.fromEntries(
    entryTexts.flatMap((field) =>
      field !== "name" && texts[field] !== undefined ? [[field, texts[field] || undefined]] : [],
    ),
  );
  return {
    [list === "gameVersions" ? "value" : "name"]: name.trim(),
    ...given,
    ...(list === "gameVersions" && { major: major !== undefined }),
    ...((list === "loaders" || list === "categories") && { projectTypes: listOf(projectTypes) }),
  };
}

/** Changes that take effect at once. */
function change(
  document: TaxonomyDocument,
  list: EntryList,
  act: string,
  name: string,
  body: EntryFields,
): ParsedTaxonomy {
  if (act === "up" || act === "down") return moveEntry(document, list, name, act === "up" ? -1 : 1);
  if (act === "add") return addEntry(document, list, toEntry(list, body));
  const ordered = orderEntries(document, list, (body.order ?? "").split(","));
  if (!ordered) throw fail.wrongState(say.states.listChanged);
  return ordered;
}

/** The values of an entry as its form shows them. */
function toValues(entry: object): Pick<Typed, "values" | "types"> {
  const { projectTypes = [], major = false, ...values } = entry as { projectTypes?: string[]; major?: boolean };
  return { values: { ...values, name: nameOf(entry), ...(major && { major: "on" }) }, types: projectTypes };
}

/** The sentence about an empty list names its place in a document, which a form does not show. */
const toMessages = (problems: readonly Problem[], lacksTypes: boolean): Said[] => {
  const messages = problems.map(({ message }) => message);
  return lacksTypes
    ? [say.problems.chooseType, ...messages.filter((said) => said !== say.taxonomy.atLeastOne)]
    : messages;
};

export const taxonomyEntryRoutes: Route[] = [
  pageRoute(
    {
      id: "getTaxonomyEntryPage",
      path: entryPath,
      access: forAdmins,
      summary: "One entry of the taxonomy",
      query: formFields("list", "name"),
      errors: ["notFound", "wrongState"],
    },
    async ({ request, query }, resources) => {
      refuseIfLocked(resources);
      const list = findList(query.list);
      const { document } = await loadTaxonomy(resources);
      const entry = findEntry(document, list, query.name ?? "");
      if (!entry) throw fail.notFound();
      return adminPage(
        { tab: "taxonomy", locale: localeOf(request) },
        <TaxonomyEntry list={list} document={document} entry={nameOf(entry)} {...toValues(entry)} />,
      );
    },
  ),

  memberFormRoute(
    {
      id: "submitTaxonomyEntry",
      path: entryPath,
      access: forAdmins,
      summary: "Add or move an entry of the taxonomy, or preview its change or removal",
      body: Type.Object({
        ...formFields("list", "action", "order", "major", ...entryTexts).properties,
        projectTypes: anyTexts,
      }),
      errors: ["notFound", "wrongState"],
    },
    async ({ actor, request, body, reply }, resources) => {
      refuseIfLocked(resources);
      const list = findList(body.list);
      const [, act = "order", name = ""] = /^(\w+)(?::(.*))?$/.exec(body.action ?? "") ?? [];
      const typed = { values: body as EntryValues, types: listOf(body.projectTypes) };
      const lacksTypes = (list === "loaders" || list === "categories") && typed.types.length === 0;
      if (act === "edit" || act === "remove") {
        const { document } = await loadTaxonomy(resources);
        const entry = findEntry(document, list, name);
        if (!entry) throw fail.notFound();
        const isEdit = act === "edit";
        const changed = isEdit
          ? editEntry(document, list, name, toEntry(list, body))
          : removeEntry(document, list, name);
        if (changed.ok) return previewPage(request, resources, changed.document);
        const problems = toMessages(changed.problems, isEdit && lacksTypes);
        return adminPage(
          { tab: "taxonomy", locale: localeOf(request), status: 400 },
          <TaxonomyEntry {...{ list, document, problems }} {...(isEdit ? typed : toValues(entry))} entry={name} />,
        );
      }
      const refused = await write(resources, actor, async (tx) => {
        const changed = change((await loadTaxonomy(tx)).document, list, act, name, body);
        if (!changed.ok) return toMessages(changed.problems, lacksTypes);
        await setTaxonomy(tx, changed.document, webSource);
        return undefined;
      });
      if (!refused) return seeOther(reply, `/admin/taxonomy#${list}`);
      return taxonomyPage(request, resources, { typed: { list, ...typed, problems: refused } });
    },
  ),
];
