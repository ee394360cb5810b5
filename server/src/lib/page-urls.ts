// URLs of the website's pages, for feeds, sitemaps, badges and mails. Names are encoded, although no valid slug or user
// name needs it.

const join = (siteUrl: string, ...segments: string[]): string =>
  [siteUrl, ...segments.map(encodeURIComponent)].join("/");

export const projectPage = (siteUrl: string, slug: string, ...below: string[]): string =>
  join(siteUrl, "project", slug, ...below);

export const versionPage = (siteUrl: string, projectSlug: string, versionSlug: string): string =>
  projectPage(siteUrl, projectSlug, "version", versionSlug);

export const userPage = (siteUrl: string, userName: string): string => join(siteUrl, "user", userName);

export const organizationPage = (siteUrl: string, slug: string): string => join(siteUrl, "organization", slug);

export const collectionPage = (siteUrl: string, id: string): string => join(siteUrl, "collection", id);
