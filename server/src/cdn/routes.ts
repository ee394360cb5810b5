// Pictures on the content host. A picture's bytes never change under its name, so that caches may keep it for ever.
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
    return sendBytes({ request, reply }, entityTag(bytes), "image/png", () => bytes);
  }
  const picture = await findPicture(db, kind, ownerId, file);
  if (!picture) throw fail.fileNotFound();
  const sha512 = Buffer.from(picture.sha512).toString("hex");
  const blob = await blobs.open(sha512);
  if (!blob) throw fail.fileNotFound();
  if (request.method === "HEAD" || isUnchanged(request.headers["if-none-match"], sha512)) blob.stream.destroy();
  reply.header("content-length", blob.size);
  return sendBytes({ request, reply }, sha512, "image/webp", () => blob.stream);
}

function sendBytes(
  { request, reply }: Pick<Call, "request" | "reply">,
  tag: string,
  type: string,
  body: () => Buffer | NodeJS.ReadableStream,
): FastifyReply {
  reply.header("etag", `"${tag}"`);
  if (isUnchanged(request.headers["if-none-match"], tag)) return reply.code(304).removeHeader("content-length").send();
  reply.type(type);
  return request.method === "HEAD" ? reply.send() : reply.send(body());
}
