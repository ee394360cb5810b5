// The card by which a project is known in other places: drawn when somebody asks for it, kept by what stands on it.
import { buffer } from "node:stream/consumers";
import Type from "typebox";
import { fail } from "../../../errors.js";
import { readable } from "../../../http/access.js";
import { entityTag, isUnchanged } from "../../../http/answers.js";
import { endpoint, type Route, route } from "../../../http/endpoint.js";
import type { Resources } from "../../../http/resources.js";
import { Ref } from "../../../http/schemas.js";
import { cardIcon, drawCard } from "../../../images/card.js";
import { defaultPicture } from "../../../images/default-picture.js";
import { defaultPictureName, findPicture } from "../../../pictures/read.js";
import { getVisibleProject } from "../../../projects/read.js";
import type { ProjectListItem } from "../../../projects/shapes.js";
import { typeName } from "../../project-types.js";
import { tagName } from "../../tag-names.js";

const getProjectCard = endpoint({
  id: "getProjectCard",
  method: "GET",
  path: "/og/project/:ref.png",
  access: readable("project_read"),
  rate: "content",
  tag: "Website",
  summary: "A project's card, for links to it in other places",
  params: Type.Object({ ref: Ref("Project id or slug") }),
  answer: { raw: "image/png", description: "1200 × 630 pixels" },
  errors: ["projectNotFound", "unavailable"],
  internal: true,
});

/** Of 20 to 60 KB each. */
const mostKept = 200;
const kept = new Map<string, Promise<Buffer>>();

export const cardRoutes: Route[] = [
  route(getProjectCard, async ({ params, viewer, request, reply }, resources) => {
    const { id, isPublic, listItem } = await getVisibleProject(resources, viewer, params.ref);
    const project = listItem.value;
    const svg = drawCard(toWords(project, resources.config.http.url));
    // Also of the icon's name, which changes with its content.
    const tag = entityTag(`${id} ${project.icon} ${svg}`);
    reply
      .headers({
        "cache-control": isPublic ? "public, max-age=300" : "private, no-store",
        "cross-origin-resource-policy": "cross-origin",
        etag: `"${tag}"`,
      })
      .type("image/png");
    if (isUnchanged(request.headers["if-none-match"], tag)) return reply.code(304).send();
    return reply.send(await findOrDraw(tag, () => draw(resources, id, project.icon, svg)));
  }),
];

function toWords(project: ProjectListItem, siteUrl: string) {
  const types = project.type.map((type) => typeName(type, "en")).join(", ");
  return {
    name: project.name,
    summary: project.summary,
    line: project.author ? `${types} · ${project.author}` : types,
    tags: project.loaders.map(tagName),
    color: project.color ?? "",
    site: new URL(siteUrl).host,
  };
}

function findOrDraw(tag: string, make: () => Promise<Buffer>): Promise<Buffer> {
  const known = kept.get(tag);
  if (known) return known;
  const made = make();
  kept.set(tag, made);
  // What could not be drawn is tried again by the next who asks.
  made.catch(() => kept.delete(tag));
  if (kept.size > mostKept) kept.delete(kept.keys().next().value!);
  return made;
}

async function draw(resources: Resources, id: string, iconUrl: string | null, svg: string): Promise<Buffer> {
  const icon = await readIcon(resources, id, iconUrl);
  const made = await resources.images.card({ svg, icon, ...cardIcon });
  if (!made.ok) throw fail.unavailable();
  return Buffer.from(made.value);
}

async function readIcon({ db, blobs }: Resources, id: string, iconUrl: string | null): Promise<Buffer> {
  const file = iconUrl?.split("/").at(-1) ?? defaultPictureName;
  const picture = file === defaultPictureName ? undefined : await findPicture(db, "project", id, file);
  const found = picture && (await blobs.open(Buffer.from(picture.sha512).toString("hex")));
  return found ? buffer(found.stream) : defaultPicture(id, "project");
}
