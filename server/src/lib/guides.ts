// The documents of docs/ that the site shows under /docs: for whom they are, and in which order they are listed. Their
// titles are the first line of each document. Documents that are not here are for those who work on Modshelf itself.

export const guides = {
  players: ["command-line", "exporting", "feeds", "notifications"],
  authors: [
    "publishing-from-ci",
    "trusted-publishing",
    "coming-from-another-registry",
    "uploads",
    "packs",
    "teams",
    "statistics",
    "webhooks",
    "maven",
    "update-files",
  ],
  launchers: ["point-your-launcher-here", "modrinth", "client", "resolve", "search", "changes", "oauth", "quirks"],
  operators: [
    "ten-minutes",
    "installing",
    "configuration",
    "operations",
    "backups",
    "moving",
    "scanner",
    "scaling",
    "moderation",
  ],
} as const satisfies Record<string, readonly string[]>;

export type Reader = keyof typeof guides;

export const readers = Object.keys(guides) as Reader[];

export const guidePath = (name: string): string => `/docs/${name}`;

export const guideNames: readonly string[] = readers.flatMap((reader): readonly string[] => guides[reader]);
