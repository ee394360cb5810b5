// Somebody else's collection as the beginning of one's own.
import Type from "typebox";
import { createCollection } from "#community/collections/edit.js";
import { followsId } from "#community/collections/policy.js";
import { getCollection } from "#community/collections/read.js";
import { write } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import { readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { Ref } from "#platform/http/schemas.js";
import { seeOther } from "#web/context/paths.js";
import { memberFormRoute } from "#web/frame/page.js";

export const collectionCopyingRoutes: Route[] = [
  memberFormRoute(
    {
      id: "copyCollection",
      once: true,
      path: "/collection/:id/copy",
      access: readable("collection_read", "collection_create"),
      summary: "Make a private copy of a collection",
      params: Type.Object({ id: Ref("Collection id") }),
      errors: ["collectionNotFound", "limitReached"],
    },
    async ({ params, viewer, actor, reply }, resources) => {
      const { db, config } = resources;
      if (params.id === followsId) throw fail.collectionNotFound();
      // What the visitor does not see is not copied either.
      const { name, description, projects } = await getCollection(
        { db, viewer, cdnUrl: config.http.cdnUrl },
        params.id,
      );
      const input = { name, description: description ?? "", visibility: "private" } as const;
      const id = await write(resources, actor, (tx) => createCollection(tx, viewer, input, projects));
      return seeOther(reply, `/collection/${id}/edit`);
    },
  ),
];
