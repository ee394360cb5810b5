// Moderators put a collection on the start page, or remove it there.
import Type from "typebox";
import { featureCollection, unfeatureCollection } from "#operations/administration/featured-collections.js";
import { write } from "#platform/changes/write.js";
import type { Route } from "#platform/http/endpoint.js";
import { Ref } from "#platform/http/schemas.js";
import { seeOther } from "#web/context/paths.js";
import { formRoute } from "#web/frame/page.js";
import { forModerators } from "#web/shared/staff-access.js";

export const collectionFeaturingRoutes: Route[] = (["feature", "unfeature"] as const).map((act) =>
  formRoute(
    {
      id: act === "feature" ? "submitFeaturedCollection" : "submitUnfeaturedCollection",
      path: `/collection/:id/${act}`,
      access: forModerators,
      summary: act === "feature" ? "Feature a collection on the start page" : "Stop featuring a collection",
      params: Type.Object({ id: Ref("Collection id") }),
      errors: act === "feature" ? ["collectionNotFound", "limitReached"] : [],
    },
    async ({ params: { id }, viewer, actor, reply }, resources) => {
      const change = act === "feature" ? featureCollection : unfeatureCollection;
      await write(resources, actor, (tx) => change(tx, viewer.user.id, id));
      return seeOther(reply, `/collection/${id}`);
    },
  ),
);
