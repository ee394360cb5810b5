// Stored pages of guests: each is used as long as it shows the current state. They are made in the background (page-maker.ts);
// a page that is not there is made when it is requested.
import { hash } from "node:crypto";
import { preparedOf } from "#content/catalog/prepared-catalog.js";
import { dropPages } from "#content/records/answers-store.js";
import { nameOfBuild } from "#lib/own-files.js";
import { perServer } from "#platform/changes/server-memory.js";
import type { ReadyAnswer } from "#platform/http/answers.js";
import type { Resources } from "#platform/http/resources.js";
import { formatIn } from "#web/context/format.js";
import type { Frame } from "#web/context/frame.js";
import { guestLocale } from "#web/context/preferences.js";
import type { Locale } from "#words/languages.js";
import { findShell } from "./guest-page.js";
import { canFill, fillGap } from "./live-texts.js";
import { pageEditionOf, shellsOf } from "./page-cache.js";
import { PageFile } from "./page-file.js";
import { type Origin, readOrigin, StoredPage } from "./stored-page.js";

/** A page that may be stored. */
export interface Storable {
  projectId: string;
  downloads: number;
  shown: ShownOthers;
}

/** The texts of other projects that a page shows, at present. */
export interface ShownOthers {
  /** Identifies the author's other projects that the page may show. Undefined if the index is not ready. */
  ofAuthor(author: string): string | undefined;
  /** Identifies the texts of tiles. Undefined if one of them is not prepared at present. */
  ofTiles(projectIds: readonly string[]): string | undefined;
}

export class StoredPages {
  readonly #resources: Resources;
  /** Undefined if it cannot be used. */
  #opened: { folder: string; file: PageFile | undefined } | undefined;
  #stamp: { edition: number; text: string } | undefined;

  constructor(resources: Resources) {
    this.#resources = resources;
  }

  /** Only pages in the language that most visitors of the site have. */
  get locale(): Locale {
    return guestLocale("", undefined, this.#resources.config.look);
  }

  /** Identifies everything but the catalogue that a page depends on: the program, and the settings of which something is shown. */
  get stamp(): string {
    const edition = pageEditionOf(this.#resources);
    if (this.#stamp?.edition !== edition) {
      const { http, look, logo, launchers, mavenGroup, remotePictures, secretKeys } = this.#resources.config;
      const shown = [http.url, http.cdnUrl, look, logo, launchers, mavenGroup, remotePictures, secretKeys];
      const settings = JSON.stringify([buildName(), this.locale, shown]);
      this.#stamp = { edition, text: hash("sha256", settings, "base64url") };
    }
    return this.#stamp.text;
  }

  /** The records of these projects; undefined if one of them is not prepared at present. */
  recordsOf(projectIds: readonly string[]): string | undefined {
    const { places } = preparedOf(this.#resources);
    const names = projectIds.map((id) => places.recordName(id));
    return names.includes(undefined) ? undefined : names.join();
  }

  /** The current page, if it is stored. */
  find({ projectId, shown }: Storable): FoundPage | undefined {
    const found = this.use((file) => file.find(projectId));
    const origin = found && readOrigin(found.origin);
    if (!origin || origin.isEmpty || !this.isCurrent(origin, shown)) return undefined;
    try {
      return { page: new StoredPage(found.page), projects: [...origin.projects, ...origin.tiles] };
    } catch {
      // It is damaged, and will be made again.
      this.use((file) => file.delete(projectId));
      return undefined;
    }
  }

  originOf(projectId: string): Origin | undefined {
    const found = this.use((file) => file.findOrigin(projectId));
    return found === undefined ? undefined : readOrigin(found);
  }

  isCurrent(origin: Origin, shown: ShownOthers): boolean {
    const { stamp, projects, records, tiles, tileRecords, shownTiles, author, others } = origin;
    if (stamp !== this.stamp || records !== this.recordsOf(projects)) return false;
    // A new version of a popular project changes its record, and no tile on the pages of thousands of others.
    if (tileRecords !== this.recordsOf(tiles) && shownTiles !== shown.ofTiles(tiles)) return false;
    return (shown.ofAuthor(author) ?? others) === others;
  }

  /** Whether there is a file for them: otherwise no pages need to be made. */
  get isUsable(): boolean {
    return this.#open() !== undefined;
  }

  /** Undefined if the file cannot be used. */
  use<T>(work: (file: PageFile) => T): T | undefined {
    const file = this.#open();
    try {
      return file && work(file);
    } catch (error) {
      this.#giveUp(error);
      return undefined;
    }
  }

  close(): void {
    this.#opened?.file?.close();
    this.#opened = undefined;
  }

  #open(): PageFile | undefined {
    const { folder } = preparedOf(this.#resources);
    if (folder === undefined) return undefined;
    if (this.#opened?.folder !== folder) {
      this.close();
      this.#opened = { folder, file: undefined };
      try {
        this.#opened.file = new PageFile(folder);
      } catch (error) {
        this.#giveUp(error);
      }
    }
    return this.#opened.file;
  }

  /** The next start begins with a new file. */
  #giveUp(error: unknown): void {
    this.#resources.log.warn({ err: error }, "Stored pages cannot be used; pages are made when they are requested");
    const { folder = "", file } = this.#opened ?? {};
    file?.close();
    this.#opened = { folder, file: undefined };
    if (preparedOf(this.#resources).tasks?.ownsFiles) dropPages(folder);
  }
}

let nameOfThisBuild: string | undefined;
function buildName(): string {
  nameOfThisBuild ??= nameOfBuild();
  return nameOfThisBuild;
}

export const storedPagesOf = perServer((resources: Resources) => new StoredPages(resources));

interface FoundPage {
  page: StoredPage;
  projects: readonly string[];
}

interface FoundAnswer {
  answer: ReadyAnswer;
  projects: readonly string[];
}

export function findStoredPage(resources: Resources, storable: Storable, frame: Frame): FoundAnswer | undefined {
  const pages = storedPagesOf(resources);
  const { downloads } = storable;
  if (frame.locale !== pages.locale || !canFill(downloads)) return undefined;
  const found = pages.find(storable);
  const shell = found && findShell(shellsOf(resources), frame, { section: found.page.section });
  if (!shell) return undefined;
  const format = formatIn(frame.locale, frame.now);
  const answer = found.page.join(shell, frame.url, (text) => fillGap(text, downloads, format));
  return { answer, projects: found.projects };
}
