// The body of a message in the standard format: the event's type, its time and its content, with URLs.
import { fileUrl } from "#content/versions/entries.js";
import { timestamp } from "#platform/http/schemas.js";
import { pictureUrl } from "#platform/pictures/read.js";
import type { Facts, FileFacts, ProjectFacts, VersionFacts } from "./facts.js";

/** The URLs of this service, from the configuration. */
export interface Site {
  url: string;
  cdnUrl: string;
}

export const toStandardBody = (facts: Facts, site: Site): string => {
  const { type, date, project, organization, version, status } = facts;
  return JSON.stringify({
    type,
    timestamp: timestamp(date),
    data: {
      ...(project && { project: toProject(project, site) }),
      ...(organization && { organization: { ...organization, url: organizationPage(site, organization.slug) } }),
      ...(version && { version: toVersion(version, project, site) }),
      ...status,
    },
  });
};

export const projectPage = ({ url }: Site, { slug }: ProjectFacts): string => `${url}/project/${slug}`;
export const organizationPage = ({ url }: Site, slug: string): string => `${url}/organization/${slug}`;
export const versionPage = (site: Site, project: ProjectFacts, slug: string): string =>
  `${projectPage(site, project)}/version/${slug}`;

const toProject = ({ iconFile, types, color: _color, ...project }: ProjectFacts, site: Site) => ({
  ...project,
  ...(types && { type: types }),
  ...(iconFile !== undefined && { icon: iconFile && pictureUrl(site.cdnUrl, "project", project.id, iconFile) }),
  url: projectPage(site, { slug: project.slug } as ProjectFacts),
});

/** The names of the fields are those of a version in the API. */
function toVersion(version: VersionFacts, project: ProjectFacts | undefined, site: Site) {
  const { id, number, slug, title, channel, changelog, gameVersions, loaders, datePublished, files } = version;
  const { isYanked, yankReason } = version;
  if (slug === undefined || datePublished === undefined || !project) return { id, versionNumber: number };
  return {
    ...{ id, versionNumber: number, slug, title, releaseChannel: channel, changelog, gameVersions, loaders },
    datePublished: timestamp(datePublished),
    yanked: isYanked,
    yankReason,
    files: files?.map((file) => toFile(file, fileUrl(site.cdnUrl, project.id, id, file.name))),
    url: versionPage(site, project, slug),
  };
}

const toFile = ({ sha1, sha512, ...file }: FileFacts, url: string) => ({
  ...file,
  url,
  sha1_hash: sha1,
  sha512_hash: sha512,
});
