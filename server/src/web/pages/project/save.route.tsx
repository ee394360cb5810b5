// The routes of the page in save.tsx.
import Type from "typebox";
import { createCollection as contract } from "#community/collections/contract.js";
import { listCollectionsOf } from "#community/collections/read.js";
import { removeFrom, saveProject, saveTo, saveToNew } from "#community/collections/save.js";
import type { Collection } from "#community/collections/shapes.js";
import { projectRef } from "#content/projects/contract.js";
import { type Tx, write } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import { needs, readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { parse } from "#platform/http/validation.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { attempt, formFields, formLists, listOf } from "#web/context/form.js";
import { safeNext, seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { projectPath } from "#web/context/project-path.js";
import { memberFormRoute } from "#web/frame/page.js";
import { getProjectView } from "#web/shared/project-view.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";
import { projectPageRoute, toProjectPage } from "./project-page.js";
import { type Given, SaveForm } from "./save.js";

/** "in" occurs once for each ticked collection. "act" and "collection" are those of the button and its menu. */
const Body = Type.Object({
  ...formFields("name", "visibility", "act", "collection", "next").properties,
  ...formLists("in").properties,
});

const ownCollections = ({ db, config }: Resources, viewer: SignedIn): Promise<Collection[]> =>
  listCollectionsOf({ db, viewer, cdnUrl: config.http.cdnUrl }, viewer.user.id);

export const saveRoutes: Route[] = [
  projectPageRoute(
    {
      id: "getSavePage",
      below: "/save",
      summary: "The user's collections that contain a project",
      access: needs("collection_read"),
    },
    async (view, { viewer, locale }, resources) => {
      if (viewer.kind === "anonymous") throw fail.signInNeeded();
      const collections = await ownCollections(resources, viewer);
      return {
        title: textsIn(texts.project.save, locale).title,
        isUnindexed: true,
        side: null,
        content: (
          <SaveForm view={view} collections={collections} isIn={(each) => each.projects.includes(view.entry.id)} />
        ),
      };
    },
  ),

  memberFormRoute(
    {
      id: "submitSave",
      once: true,
      path: "/project/:ref/save",
      access: readable("collection_read", "collection_write"),
      summary: "Add a project to collections",
      params: projectRef,
      body: Body,
      errors: ["projectNotFound", "collectionNotFound", "limitReached"],
    },
    async ({ params, body, viewer, actor, request, reply }, resources) => {
      const view = await getProjectView(resources, viewer, params.ref);
      const locale = localeOf(request);
      const collections = await ownCollections(resources, viewer);
      const { id } = view.entry;
      const ticked = new Set(listOf(body.in));
      const isWanted = (each: Collection) => ticked.has(each.id);
      const problems = await attempt(
        async () => {
          const fresh = readNew(body);
          await write(resources, actor, async (tx) => {
            if (body.act === "add" || body.act === "remove") return change(tx, viewer, id, body, locale);
            if (body.act === "create") return fresh && saveToNew(tx, viewer, id, fresh);
            for (const each of collections) {
              const isThere = each.projects.includes(id);
              if (isWanted(each) && !isThere) await saveTo(tx, viewer, id, each.id);
              if (!isWanted(each) && isThere) await removeFrom(tx, viewer, id, each.id);
            }
            if (fresh) await saveToNew(tx, viewer, id, fresh);
          });
        },
        body.act === "add" ? {} : { limitReached: "name" },
      );
      if (!problems) return seeOther(reply, safeNext(body.next, projectPath(view.entry.slug)));
      const content = <SaveForm {...{ view, collections, isIn: isWanted, given: body, problems }} />;
      const page = {
        title: textsIn(texts.project.save, locale).title,
        isUnindexed: true,
        side: null,
        status: problems.status,
        content,
      };
      return toProjectPage(view, page, locale);
    },
  ),
];

/** A click on the button, which names no collection to save to, or on a collection of its menu. */
async function change(
  tx: Tx,
  viewer: SignedIn,
  projectId: string,
  { act, collection }: { act?: string; collection?: string },
  locale: Locale,
): Promise<void> {
  if (act === "remove") return removeFrom(tx, viewer, projectId, collection ?? "");
  if (collection !== undefined) return saveTo(tx, viewer, projectId, collection);
  return saveProject(tx, viewer, projectId, textsIn(texts.project.save, locale).first);
}

/** Undefined if the name is empty. */
function readNew({ name = "", visibility = "private" }: Given) {
  if (name.trim() === "") return undefined;
  const input = parse<{ name: string; visibility: Collection["visibility"] }>(
    "body",
    contract.body,
    { name: name.trim(), visibility },
    "form",
  );
  return { ...input, description: "" };
}
