// Routes of uploads in parts.

import { needConfirmedAddress } from "#accounts/users/policy.js";
import { invalid } from "#platform/errors.js";
import { type Route, route } from "#platform/http/endpoint.js";
import { done } from "#platform/http/schemas.js";
import { localeForTag } from "#words/languages.js";
import { say } from "#words/said.js";
import * as contract from "./contract.js";
import { finishUpload } from "./facts.js";
import { getPresentUpload, getUploadRow, listOpenUploads, toUpload } from "./read.js";
import { addPart, beginUpload, removeUpload } from "./write.js";

export const uploadRoutes: Route[] = [
  route(contract.beginUpload, async (call, resources) => {
    needConfirmedAddress(call.viewer);
    return {
      ...done("Upload started; send the parts now"),
      upload: toUpload(await beginUpload(resources, call, call.body)),
    };
  }),

  route(contract.listUploads, async ({ viewer }, { db, clock }) =>
    (await listOpenUploads(db, viewer.user.id, clock.now())).map((row) => toUpload(row)),
  ),

  route(contract.getUpload, async ({ params, query, viewer }, resources) =>
    toUpload(await getPresentUpload(resources, viewer.user.id, params.uploadId), localeForTag(query.lang ?? "")),
  ),

  route(
    contract.sendPart,
    async ({ params, body, staged, viewer }, resources) => {
      const [part] = staged.part;
      if (!part) throw invalid({ path: "part", message: say.problems.fileMissing });
      const { offset, sha512 } = body;
      const row = await addPart(resources, viewer.user.id, params.uploadId, { offset, sha512, blob: part.blob });
      return { ...done("Part received"), upload: toUpload(row) };
    },
    {
      before: async ({ params, viewer }, resources) => {
        await getUploadRow(resources, viewer.user.id, params.uploadId);
      },
    },
  ),

  route(contract.finishUpload, async ({ params, query, viewer }, resources) => ({
    ...done("Upload complete"),
    upload: toUpload(await finishUpload(resources, viewer.user.id, params.uploadId), localeForTag(query.lang ?? "")),
  })),

  route(contract.deleteUpload, async ({ params, viewer }, resources) => {
    await removeUpload(resources, await getUploadRow(resources, viewer.user.id, params.uploadId));
    return done("Upload cancelled");
  }),
];
