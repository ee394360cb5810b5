// The demo content, read from content.yaml next to this file; fill.ts uploads it through the API.
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { DisclosuresEdit } from "#content/shapes/disclosures.js";
import { ownFile } from "#lib/own-files.js";

export interface DemoProject {
  name: string;
  type: string[];
  summary: string;
  categories: string[];
  author: string;
  org?: string;
  license?: string;
  disclosures?: DisclosuresEdit;
  /** In the order of publishing. */
  versions: string[];
  gameVersions: string[];
  loaders: string[];
  /** Slugs of projects that it requires, goes well with, clashes with, and includes. */
  needs?: string[];
  likes?: string[];
  clashes?: string[];
  includes?: string[];
  pictures?: number;
  noIcon?: true;
  visibility?: "unlisted" | "private" | "archived";
  status?: "draft" | "processing" | "rejected";
  longDescription?: true;
  /** Absent: a random number. */
  downloads?: number;
}

export interface DemoContent {
  authors: string[];
  organizations: { name: string; slug: string; owner: string; members: string[]; description: string }[];
  projects: DemoProject[];
  collections?: { name: string; owner: string; description: string; projects: string[] }[];
  reports?: { reporter: string; project: string; type: string; text: string }[];
}

export const readDemoContent = (): DemoContent =>
  parse(readFileSync(ownFile("operations/demo/content.yaml"), "utf8")) as DemoContent;

/** Names in other scripts need a slug. */
const slugs: Record<string, string> = { واحة: "waha" };

export const slugOf = (name: string): string => slugs[name] ?? name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
