// Pictures on the content host. A picture's bytes never change under its name, so that caches may keep it for ever.
import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import type { ImageOwner } from "../db/tables.js";
import { fail } from "../errors.js";
import { entityTag, isUnchanged } from "../http/answers.js";
import { type Call, type Route, route } from "../http/endpoint.js";
import type { Resources } from "../http/resources.js";
import { defaultPicture } from "../images/default-picture.js";
import { defaultPictureName, findPicture } from "../pictures/read.js";
import * as contract from "./contract.js";

const immutable = "public, max-age=31536000, immutable";

export const cdnRoutes: Route[] = [
  route(contract.getUserPicture, ({ params, request, reply }, resources) =>
    sendPicture({ request, reply }, resources, "user", params.id, params.file),
  ),
];

async function sendPicture(
  { request, reply }: Pick<Call, "request" | "reply">,
  { db, blobs }: Resources,
  kind: ImageOwner,
  ownerId: string,
  file: string,
): Promise<FastifyReply> {
  reply.headers({
    "content-security-policy": "sandbox; default-src 'none'",
    "cross-origin-resource-policy": "cross-origin",
    "cache-control": immutable,
    vary: "Origin",
  });
  if (file === defaultPictureName) {
    const bytes = defaultPicture(ownerId, kind);
    const tag = entityTag(bytes);
    reply.header("etag", `"${tag}"`).type("image/png");
    return isUnchanged(request.headers["if-none-match"], tag) ? reply.code(304).send() : reply.send(bytes);
  }
  const picture = await findPicture(db, kind, ownerId, file);
  if (!picture) throw fail.fileNotFound();
  const sha512 = Buffer.from(picture.sha512).toString("hex");
  reply.header("etag", `"${sha512}"`).type("image/webp");
  if (isUnchanged(request.headers["if-none-match"], sha512)) return reply.code(304).send();
  // HEAD looks at the size only; an empty stream keeps Fastify from writing a length of its own.
  const found = request.method === "HEAD" ? await blobs.find(sha512) : await blobs.open(sha512);
  if (!found) throw fail.fileNotFound();
  reply.header("content-length", found.size);
  return reply.send("stream" in found ? found.stream : Readable.from([]));
}
