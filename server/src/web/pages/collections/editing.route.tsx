// Creating, changing and deleting collections.

import Type from "typebox";
import { createCollection as creation, editCollection as edition } from "#community/collections/contract.js";
import {
  addProjects,
  createCollection,
  deleteCollection,
  type NewCollection,
  refuseFollows,
  removeProjects,
  saveCollection,
} from "#community/collections/edit.js";
import { canEditCollection } from "#community/collections/policy.js";
import { getCollection, listVisibleIds } from "#community/collections/read.js";
import type { Collection } from "#community/collections/shapes.js";
import { write } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import { needs, readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { Ref } from "#platform/http/schemas.js";
import { parse } from "#platform/http/validation.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { attempt, type FormProblems, formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import type { Page } from "#web/frame/layout.js";
import { narrowPage } from "#web/frame/narrow-page.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { ConfirmForm } from "#web/parts/confirm-form.js";
import { listItems } from "#web/shared/projects-by-type.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";
import { type CollectionFields, EditCollectionForms, NewCollectionForm } from "./editing.js";

const params = Type.Object({ id: Ref("Collection id") });
const changing = {
  params,
  access: readable("collection_read", "collection_write"),
  errors: ["collectionNotFound", "ownerOnly"],
} as const;
const showing = { params, access: needs("collection_read"), errors: ["collectionNotFound", "ownerOnly"] } as const;

export const collectionEditingRoutes: Route[] = [
  pageRoute(
    {
      id: "getNewCollectionPage",
      path: "/collections/new",
      access: needs("collection_create"),
      summary: "The form for a new collection",
      query: Type.Object({ project: Type.Optional(Type.String({ maxLength: 64 })) }),
    },
    async ({ query, request }) => newPage(localeOf(request), {}, query.project),
  ),
  memberFormRoute(
    {
      id: "submitNewCollection",
      once: true,
      path: "/collections/new",
      access: readable("collection_create"),
      summary: "Create a collection",
      body: formFields("name", "description", "visibility", "project"),
      errors: ["limitReached"],
    },
    async ({ body, viewer, actor, request, reply }, resources) => {
      const { project = "", ...given } = body;
      let id = "";
      const problems = await attempt(
        async () => {
          const input = readFields(creation.body, given);
          id = await write(resources, actor, (tx) =>
            createCollection(tx, viewer, input, project === "" ? [] : [project]),
          );
        },
        { limitReached: "name" },
      );
      return problems
        ? newPage(localeOf(request), given, project, problems)
        : seeOther(reply, project === "" ? `/collection/${id}/edit` : `/collection/${id}`);
    },
  ),
  pageRoute(
    { ...showing, id: "getCollectionEditPage", path: "/collection/:id/edit", summary: "The forms of a collection" },
    async ({ params: { id }, viewer, request }, resources) => {
      const collection = await getEditable(resources, viewer, id);
      return editPage(resources, collection, localeOf(request));
    },
  ),
  memberFormRoute(
    {
      ...changing,
      id: "submitCollectionEdit",
      path: "/collection/:id/edit",
      summary: "Change a collection",
      body: formFields("name", "description", "visibility", "removeIcon"),
      files: edition.files,
    },
    async ({ params: { id }, body, files, viewer, actor, request, reply }, resources) => {
      const { removeIcon, ...given } = body;
      const problems = await attempt(
        async () => {
          const icon = files.icon?.bytes ?? (removeIcon === undefined ? undefined : null);
          await saveCollection(resources, viewer, actor, { ...readFields(edition.body, given), id, icon });
        },
        { imageUnusable: "icon", quotaReached: "icon" },
      );
      if (!problems) return seeOther(reply, `/collection/${id}`);
      return editPage(resources, await getEditable(resources, viewer, id), localeOf(request), { given, problems });
    },
  ),
  memberFormRoute(
    {
      ...changing,
      id: "addToCollection",
      path: "/collection/:id/projects",
      summary: "Add a project to a collection",
      body: formFields("project"),
    },
    async ({ params: { id }, body, viewer, actor, request, reply }, resources) => {
      refuseFollows(id);
      const project = body.project ?? "";
      const problems = await attempt(
        async () => {
          const ids = await listVisibleIds(resources.db, viewer, [toRef(project)]);
          if (ids.length === 0) throw fail.projectNotFound();
          await write(resources, actor, (tx) => addProjects(tx, viewer, id, ids));
        },
        { projectNotFound: "project", limitReached: "project" },
      );
      if (!problems) return seeOther(reply, `/collection/${id}/edit`);
      const collection = await getEditable(resources, viewer, id);
      return editPage(resources, collection, localeOf(request), { adding: { project, problems } });
    },
  ),
  memberFormRoute(
    {
      ...changing,
      id: "removeFromCollection",
      path: "/collection/:id/projects/remove",
      summary: "Remove a project from a collection",
      body: formFields("project"),
    },
    async ({ params: { id }, body, viewer, actor, reply }, resources) => {
      refuseFollows(id);
      await write(resources, actor, (tx) => removeProjects(tx, viewer, id, [body.project ?? ""]));
      return seeOther(reply, `/collection/${id}/edit`);
    },
  ),
  pageRoute(
    {
      ...showing,
      id: "getCollectionDeletePage",
      path: "/collection/:id/delete",
      summary: "Ask for confirmation before a collection is deleted",
    },
    async ({ params: { id }, viewer, request }, resources) => {
      const { form } = textsIn(texts.collections.collection, localeOf(request));
      const { name } = await getEditable(resources, viewer, id);
      const path = `/collection/${id}`;
      return narrowPage(
        { title: form.deleteTitle(name), lead: form.deleteText },
        <ConfirmForm action={`${path}/delete`} button={form.delete} back={`${path}/edit`} />,
      );
    },
  ),
  memberFormRoute(
    {
      ...changing,
      id: "submitCollectionDeletion",
      once: true,
      path: "/collection/:id/delete",
      access: readable("collection_delete"),
      summary: "Delete a collection",
    },
    async ({ params: { id }, viewer, actor, reply }, resources) => {
      refuseFollows(id);
      await write(resources, actor, (tx) => deleteCollection(tx, viewer, id));
      return seeOther(reply, `/user/${viewer.user.userName}`);
    },
  ),
];

/** Accepts "https://…/project/lamps/versions" as well as "lamps". */
export const toRef = (given: string): string =>
  (/\/(?:project|mod|modpack|shader|resource-pack|datamod|plugin|world)\/([^/?#\s]+)/.exec(given)?.[1] ?? given).trim();

function readFields(schema: typeof creation.body | typeof edition.body, given: CollectionFields): NewCollection {
  const { name, description, visibility } = parse<Omit<NewCollection, "description"> & { description?: string | null }>(
    "body",
    schema,
    { name: "", ...given },
    "form",
  );
  return { name, description: description ?? "", visibility: visibility ?? "public" };
}

async function getEditable(resources: Resources, viewer: SignedIn, id: string): Promise<Collection> {
  refuseFollows(id);
  const { db, config } = resources;
  const collection = await getCollection({ db, viewer, cdnUrl: config.http.cdnUrl }, id);
  if (!canEditCollection(viewer, { user_id: collection.userId })) throw fail.ownerOnly();
  return collection;
}

const newPage = (locale: Locale, given: CollectionFields, project = "", problems?: FormProblems): Page => ({
  title: textsIn(texts.collections.collection, locale).form.newTitle,
  status: problems?.status,
  content: <NewCollectionForm given={given} problems={problems} project={project} />,
});

interface Tried {
  given?: CollectionFields;
  problems?: FormProblems;
  adding?: { project: string; problems: FormProblems };
}

async function editPage(
  resources: Resources,
  collection: Collection,
  locale: Locale,
  tried: Tried = {},
): Promise<Page> {
  const { given, problems, adding } = tried;
  const { name, description, visibility } = collection;
  const present = { name, description: description ?? "", visibility };
  return {
    title: textsIn(texts.collections.collection, locale).form.editTitle(name),
    status: (problems ?? adding?.problems)?.status,
    content: (
      <EditCollectionForms
        collection={collection}
        projects={await listItems(resources, collection.projects)}
        given={given ?? present}
        problems={problems}
        adding={adding}
      />
    ),
  };
}
