// The parts of an import that all of its steps share.
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import type { Actor } from "#platform/changes/write.js";
import { Failure } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import type { SessionViewer } from "#platform/http/viewer.js";
import type { PoliteClient } from "./polite-client.js";
import type { Counted, ReportBook } from "./report.js";
import { BadAnswer, type Selection, type Source } from "./source.js";

export interface LocalUser {
  id: string;
  userName: string;
}

export interface ImportOptions {
  selection: Selection;
  /** Owns everything whose owner at the source has no account here. */
  owner: LocalUser;
  /** Accounts here by username at the source, in lower case. */
  mapped: ReadonlyMap<string, LocalUser>;
  createUsers: boolean;
  overwrite: boolean;
  skipUnknown: boolean;
  dryRun: boolean;
  /** Projects are submitted for review as this site demands it; otherwise the operator's word publishes them. */
  review: boolean;
  /** The URL of the source's website, for links to it. */
  siteUrl: string;
}

export interface Context {
  resources: Resources;
  actor: Actor;
  client: PoliteClient;
  source: Source;
  options: ImportOptions;
  taxonomy: Taxonomy;
  book: ReportBook;
  /** Tells the operator what is going on. */
  say: (line: string) => void;
}

/** The operator acts for the user: everything is allowed, and the user is the author of it. */
export const actAs = ({ id, userName }: LocalUser): SessionViewer => ({
  ...{ kind: "session", user: { id, userName, role: "admin" } },
  ...{ sessionId: "import", dateAuthenticated: 0 },
});

/** Runs a step. A refusal of this site or a useless answer of the source concerns only that step; it is reported. */
export async function orRefuse<T>(
  { book }: Context,
  what: string,
  counted: { kind: Counted; id: string } | undefined,
  step: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await step();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    book.refuse(what, error.message, counted);
    return undefined;
  }
}

const isRefusal = (error: unknown): error is Error =>
  error instanceof BadAnswer || (error instanceof Failure && error.status < 500);
