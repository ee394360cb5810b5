// The cards of projects, people, organizations and collections for link previews: drawn on request and cached by
// content.
import { buffer } from "node:stream/consumers";
import type { FastifyReply } from "fastify";
import Type from "typebox";
import type { ImageOwner } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import { readable } from "#platform/http/access.js";
import { entityTag, isUnchanged } from "#platform/http/answers.js";
import { type Call, type EndpointSpec, endpoint, type Route, route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { Ref } from "#platform/http/schemas.js";
import { cardIcon, drawCard } from "#platform/images/card.js";
import { drawDefaultPicture } from "#platform/images/default-picture.js";
import { defaultPictureName, findPicture } from "#platform/pictures/read.js";
import { type Card, collectionCard, organizationCard, projectCard, userCard } from "./card-words.js";

const toSpec = (kind: ImageOwner, spec: Pick<EndpointSpec, "id" | "access" | "summary" | "errors">) =>
  endpoint({
    ...spec,
    method: "GET",
    path: `/og/${kind}/:ref.png`,
    rate: "card",
    tag: "Website",
    params: Type.Object({ ref: Ref(`The ${kind}'s id, or its name in addresses`) }),
    answer: { raw: "image/png", description: "1200 × 630 pixels" },
    internal: true,
  } as EndpointSpec);

type MakeCard = (resources: Resources, viewer: Call["viewer"], ref: string) => Promise<Card>;

const cardRoute = (spec: EndpointSpec, make: MakeCard): Route =>
  route(spec, async ({ params, viewer, request, reply }, resources) => {
    const card = await make(resources, viewer, (params as { ref: string }).ref);
    return sendCard({ request, reply }, resources, card);
  });

export const cardRoutes: Route[] = [
  cardRoute(
    toSpec("project", {
      id: "getProjectCard",
      access: readable("project_read"),
      summary: "A project's card, for link previews",
      errors: ["projectNotFound", "unavailable"],
    }),
    projectCard,
  ),
  cardRoute(
    toSpec("user", {
      id: "getUserCard",
      access: readable("user_read"),
      summary: "A user's card, for link previews",
      errors: ["userNotFound", "unavailable"],
    }),
    userCard,
  ),
  cardRoute(
    toSpec("organization", {
      id: "getOrganizationCard",
      access: readable("organization_read"),
      summary: "An organization's card, for link previews",
      errors: ["organizationNotFound", "unavailable"],
    }),
    organizationCard,
  ),
  cardRoute(
    toSpec("collection", {
      id: "getCollectionCard",
      access: readable("collection_read"),
      summary: "A collection's card, for link previews",
      errors: ["collectionNotFound", "unavailable"],
    }),
    collectionCard,
  ),
];

/** Each has 20 to 60 KB. */
const mostKept = 200;
const kept = new Map<string, Promise<Buffer>>();

async function sendCard(
  { request, reply }: Pick<Call, "request" | "reply">,
  resources: Resources,
  card: Card,
): Promise<FastifyReply> {
  const svg = drawCard({ ...card.words, site: new URL(resources.config.http.url).host });
  // Includes the picture's name, which changes with its content.
  const tag = entityTag(`${card.kind} ${card.id} ${card.picture} ${svg}`);
  reply
    .headers({
      "cache-control": card.isPublic ? "public, max-age=300" : "private, no-store",
      "cross-origin-resource-policy": "cross-origin",
      etag: `"${tag}"`,
    })
    .type("image/png");
  if (isUnchanged(request.headers["if-none-match"], tag)) return reply.code(304).send();
  return reply.send(await findOrDraw(tag, () => draw(resources, card, svg)));
}

function findOrDraw(tag: string, make: () => Promise<Buffer>): Promise<Buffer> {
  const known = kept.get(tag);
  if (known) return known;
  const made = make();
  kept.set(tag, made);
  // A card that could not be drawn is tried again at the next request.
  made.catch(() => kept.delete(tag));
  if (kept.size > mostKept) kept.delete(kept.keys().next().value!);
  return made;
}

async function draw(resources: Resources, card: Card, svg: string): Promise<Buffer> {
  const icon = await readPicture(resources, card);
  const made = await resources.images.card({ svg, icon, ...cardIcon });
  if (!made.ok) throw fail.unavailable();
  return Buffer.from(made.value);
}

async function readPicture({ db, blobs, images }: Resources, { kind, id, picture }: Card): Promise<Buffer> {
  const file = picture?.split("/").at(-1) ?? defaultPictureName;
  const row = file === defaultPictureName ? undefined : await findPicture(db, kind, id, file);
  const found = row && (await blobs.open(Buffer.from(row.sha512).toString("hex")));
  return found ? buffer(found.stream) : images.drawing(drawDefaultPicture(id, kind));
}
