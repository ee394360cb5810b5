// The body of a message in the format of Discord's webhooks: one embed, within Discord's limits. Texts of authors are
// escaped, so that they contain no markup and mention no users.
import { timestamp } from "#platform/http/schemas.js";
import { pictureUrl } from "#platform/pictures/read.js";
import type { Facts, VersionFacts } from "./facts.js";
import { organizationPage, projectPage, type Site, versionPage } from "./messages.js";

const limits = { title: 256, description: 4096, fieldValue: 1024, inAll: 6000 };

/** Discord treats a backslash before any punctuation as an escape. Cuts between characters, never inside an escape. */
export function escaped(text: string, limit: number): string {
  const parts: string[] = [];
  let length = 0;
  for (const char of text.toWellFormed()) {
    const part = /[\\`*_~|>#\-+.[\](){}<@:!]/.test(char) ? `\\${char}` : char;
    if (length + part.length > limit - 1) return `${parts.join("")}…`;
    parts.push(part);
    length += part.length;
  }
  return parts.join("");
}

interface Field {
  name: string;
  value: string;
  inline: true;
}

export function toDiscordBody(facts: Facts, site: Site): string {
  const { project, version, date } = facts;
  const title = escaped(titleOf(facts), limits.title);
  const fields = version && facts.type === "version.published" ? fieldsOf(version) : [];
  const taken = title.length + fields.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
  const description = escaped(textOf(facts), Math.min(limits.description, limits.inAll - taken));
  const url = pageOf(facts, site);
  const icon = project?.iconFile ? pictureUrl(site.cdnUrl, "project", project.id, project.iconFile) : undefined;
  return JSON.stringify({
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title,
        ...(description !== "" && { description }),
        ...(url && { url }),
        ...(project?.color && { color: Number.parseInt(project.color.slice(1), 16) }),
        ...(icon && { thumbnail: { url: icon } }),
        ...(fields.length > 0 && { fields }),
        timestamp: timestamp(date),
      },
    ],
  });
}

function titleOf({ type, project, organization, version, status }: Facts): string {
  const name = project?.name ?? organization?.name ?? "";
  const release = `${name} ${version?.number ?? ""}`.trim();
  switch (type) {
    case "version.published":
      return release;
    case "version.edited":
      return `${release} was edited`;
    case "version.yanked":
      return `${release} was withdrawn`;
    case "version.deleted":
      return `${release} was deleted`;
    case "project.edited":
      return `${name} was edited`;
    case "project.status_changed":
      return `${name} is ${status?.to ?? "changed"}`;
    case "project.deleted":
      return `${name} was deleted`;
    case "ping":
      return `The webhook of ${name} works`;
  }
}

function textOf({ type, version, project }: Facts): string {
  if (type === "version.published") return version?.changelog ?? "";
  if (type === "version.yanked") return version?.yankReason ?? "";
  return type === "project.edited" ? (project?.summary ?? "") : "";
}

function fieldsOf({ channel, loaders, gameVersions }: VersionFacts): Field[] {
  const field = (name: string, values: readonly string[] = []): Field[] =>
    values.length === 0 ? [] : [{ name, value: escaped(values.join(", "), limits.fieldValue), inline: true }];
  return [
    ...field("Channel", channel === undefined ? [] : [channel]),
    ...field("Loaders", loaders),
    ...field("Game versions", gameVersions),
  ];
}

function pageOf({ type, project, organization, version }: Facts, site: Site): string | undefined {
  if (organization) return organizationPage(site, organization.slug);
  if (!project || type === "project.deleted") return undefined;
  return version?.slug === undefined ? projectPage(site, project) : versionPage(site, project, version.slug);
}
