// Pictures of other sites on the content host (platform/remote-pictures). They need no cookie and set none.
import { Readable } from "node:stream";
import Type from "typebox";
import { fail } from "#platform/errors.js";
import { open } from "#platform/http/access.js";
import { isUnchanged } from "#platform/http/answers.js";
import { endpoint, type Route, route } from "#platform/http/endpoint.js";
import { isAnswered } from "#platform/http/watchdog.js";
import { noteRemotePicture } from "#platform/pictures/in-texts.js";
import { isAllowed, isOwnAddress, remotePath } from "#platform/remote-pictures/address.js";
import { openPicture, remotePicturesOf } from "#platform/remote-pictures/cache.js";

/** An SVG is styled by attributes; nothing of it runs or loads, even if somebody opens it in a tab. */
const policies = {
  webp: "sandbox; default-src 'none'",
  svg: "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'",
};
const types = { webp: "image/webp", svg: "image/svg+xml" };

const getRemotePicture = endpoint({
  id: "getRemotePicture",
  method: "GET",
  path: `${remotePath}/:signature`,
  access: open,
  rate: "content",
  tag: "Content",
  summary: "Get a picture of another site that a text shows",
  params: Type.Object({ signature: Type.String({ maxLength: 64 }) }),
  query: Type.Object({ url: Type.String({ maxLength: 2000 }) }),
  answer: { raw: "image/webp", description: "The picture, as image/webp or image/svg+xml", isTagged: true },
  errors: ["fileNotFound", "unavailable"],
  internal: true,
});

export const remotePictureRoutes: Route[] = [
  route(getRemotePicture, async ({ params, query, request, reply }, resources) => {
    const { vault, config } = resources;
    const { url } = query;
    if (!isOwnAddress(vault, url, params.signature) || !isAllowed(url, config.remotePictures))
      throw fail.fileNotFound();
    const picture = await remotePicturesOf(resources).find(url);
    if (!picture) throw fail.fileNotFound();
    noteRemotePicture(resources, url);
    const tag = `${picture.date}-${picture.size}`;
    const isUnread = request.method === "HEAD" || isUnchanged(request.headers["if-none-match"], tag);
    const file = isUnread ? undefined : await openPicture(picture);
    if (!file && !isUnread) throw fail.fileNotFound();
    if (isAnswered(reply)) {
      await file?.close();
      return reply;
    }
    reply
      .headers({
        "content-security-policy": policies[picture.format],
        "cross-origin-resource-policy": "cross-origin",
        // As long as the server itself uses a picture before it fetches it again.
        "cache-control": "public, max-age=604800, immutable",
        vary: "Origin",
        etag: `"${tag}"`,
      })
      .type(types[picture.format]);
    if (isUnchanged(request.headers["if-none-match"], tag)) return reply.code(304).send();
    reply.header("content-length", picture.size);
    return reply.send(file?.createReadStream() ?? Readable.from([]));
  }),
];
