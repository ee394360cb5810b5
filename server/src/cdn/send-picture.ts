// Sends a picture from the content host. Its bytes never change under its name, so caches may store it permanently,
// unless it is not public.
import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import type { ImageOwner } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import { entityTag, isUnchanged } from "#platform/http/answers.js";
import type { Call } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { isAnswered } from "#platform/http/watchdog.js";
import { drawDefaultPicture } from "#platform/images/default-picture.js";
import { defaultPictureName, findPicture } from "#platform/pictures/read.js";

export interface PictureName {
  kind: ImageOwner;
  ownerId: string;
  file: string;
}

export async function sendPicture(
  { request, reply }: Pick<Call, "request" | "reply">,
  { db, blobs, images }: Resources,
  { kind, ownerId, file }: PictureName,
  isPublic = true,
): Promise<FastifyReply> {
  if (file === defaultPictureName) {
    const drawing = drawDefaultPicture(ownerId, kind);
    const tag = entityTag(drawing);
    const bytes = isUnchanged(request.headers["if-none-match"], tag) ? undefined : await images.drawing(drawing);
    setHeaders(reply, isPublic).header("etag", `"${tag}"`).type("image/png");
    return bytes ? reply.send(bytes) : reply.code(304).send();
  }
  const picture = await findPicture(db, kind, ownerId, file);
  if (!picture) throw fail.fileNotFound();
  const sha512 = Buffer.from(picture.sha512).toString("hex");
  // HEAD needs the size only; an empty stream keeps Fastify from writing its own length.
  const isRead = request.method === "HEAD" || isUnchanged(request.headers["if-none-match"], sha512);
  const opened = isRead ? undefined : await blobs.open(sha512);
  const found = isRead ? await blobs.find(sha512) : opened;
  if (!found) throw fail.fileNotFound();
  if (isAnswered(reply)) {
    opened?.stream.destroy();
    return reply;
  }
  setHeaders(reply, isPublic).header("etag", `"${sha512}"`).type("image/webp");
  if (isUnchanged(request.headers["if-none-match"], sha512)) return reply.code(304).send();
  reply.header("content-length", found.size);
  return reply.send(opened?.stream ?? Readable.from([]));
}

/** Set last: a refusal must look the same whether the picture is hidden or was never there. */
const setHeaders = (reply: FastifyReply, isPublic: boolean): FastifyReply =>
  reply.headers({
    "content-security-policy": "sandbox; default-src 'none'",
    "cross-origin-resource-policy": "cross-origin",
    "cache-control": isPublic ? "public, max-age=31536000, immutable" : "private, no-store",
    vary: isPublic ? "Origin" : "Authorization, Cookie, Origin",
  });
