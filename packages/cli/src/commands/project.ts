// `shelf project`: creates and edits a project, and submits it for review.
import { openFile } from "modshelf-client/node";
import { usageFailure } from "#shelf/arguments.js";
import { type Answer, type Context, defineCommand } from "#shelf/command.js";
import { Failure } from "#shelf/failures.js";
import { toTable } from "#shelf/terminal.js";

const usage = "status P | create SLUG | edit P | icon P FILE | submit P";
const projectOptions = {
  name: { type: "string", value: "NAME", help: "create, edit: the name." },
  summary: { type: "string", value: "TEXT", help: "create, edit: a sentence about the project." },
  type: {
    type: "string",
    multiple: true,
    value: "T",
    help: "create, edit: a project type, such as mod; may be repeated.",
  },
  slug: { type: "string", value: "SLUG", help: "edit: the name in addresses." },
  visibility: { type: "string", value: "V", help: "create, edit: listed, unlisted, private; edit: archived." },
  org: { type: "string", value: "ID", help: "create: the organization that it belongs to." },
} as const;
type ProjectContext = Context<typeof projectOptions>;

export const project = defineCommand({
  name: "project",
  usage,
  summary: "Show the state of a project, create or edit it, and submit it for review.",
  options: projectOptions,
  words: [2, 3],
  async run(context) {
    const { registry, signal } = context;
    const [what, ref, file] = context.words as [string, string, string?];
    if (what === "icon" && file !== undefined) {
      await registry.projects.setIcon(ref, await openFile(file), { signal });
      return { data: { project: ref }, lines: [`${ref} has a new icon.`] };
    }
    if (file === undefined && what === "status") return status(context, ref);
    if (file === undefined && what === "create") return create(context, ref);
    if (file === undefined && what === "edit") return edit(context, ref);
    if (file === undefined && what === "submit") {
      const answer = await registry.projects.submit(ref, { signal });
      return { data: { project: ref, status: answer.status }, lines: [answer.message] };
    }
    throw usageFailure({ name: "project", usage }, "This is not a use of the command.");
  },
});

const meanings: Record<string, string> = {
  draft: "a draft; submit it for review with: shelf project submit",
  processing: "in review",
  approved: "approved",
  rejected: "rejected; the moderators' reasons are on its page",
  withheld: "withheld by the moderators",
};

async function status({ registry, signal, host }: ProjectContext, ref: string): Promise<Answer> {
  const { id, slug, name, status, visibility, downloads, dateUpdated } = await registry.projects.get(ref, { signal });
  const url = `${host}/project/${slug}`;
  return {
    data: { id, slug, name, status, visibility, downloads, dateUpdated, url },
    lines: toTable([
      ...[
        ["project", name],
        ["state", meanings[status] ?? status],
        ["visibility", visibility],
      ],
      ...[
        ["downloads", String(downloads)],
        ["updated", dateUpdated],
        ["page", url],
      ],
    ]),
  };
}

const visibilities = ["listed", "unlisted", "private", "archived"] as const;

function readFields({ options: { name, summary, visibility, type } }: ProjectContext) {
  const known = visibilities.find((one) => one === visibility);
  if (visibility !== undefined && !known)
    throw new Failure(`"${visibility}" is not a visibility.`, {
      advice: `Use ${visibilities.join(", ")}.`,
      code: "usage",
    });
  return {
    ...(name !== undefined && { name }),
    ...(summary !== undefined && { summary }),
    ...(known && { visibility: known }),
    ...(type.length > 0 && { type }),
  };
}

async function create(context: ProjectContext, slug: string): Promise<Answer> {
  const { registry, options, signal, host } = context;
  const { name, summary, type, ...others } = readFields(context);
  if (!name || !summary || !type)
    throw new Failure("A project needs a name, a summary and a type.", {
      advice: `shelf project create ${slug} --name NAME --summary TEXT --type mod`,
      code: "usage",
    });
  const body = { ...others, name, summary, type, slug, ...(options.org && { orgId: options.org }) };
  const made = await registry.projects.create(body, { signal });
  const url = `${host}/project/${made.slug}`;
  return { data: { id: made.id, slug: made.slug, url }, lines: [`Created as a draft: ${url}`] };
}

async function edit(context: ProjectContext, ref: string): Promise<Answer> {
  const { registry, options, signal } = context;
  const body = { ...readFields(context), ...(options.slug !== undefined && { slug: options.slug }) };
  if (Object.keys(body).length === 0)
    throw new Failure("Nothing is to be changed.", {
      advice: "See the options with: shelf help project",
      code: "usage",
    });
  const { slug } = await registry.projects.update(ref, body, { signal });
  return { data: { slug }, lines: [`Saved ${slug}.`] };
}
