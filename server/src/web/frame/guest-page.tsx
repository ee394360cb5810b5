// A page that is the same for all guests with the same preferences, as an answer. Its shell (header, footer, navigation) is
// rendered once for many pages, and the part after the content is compressed once too (lib/gzip-join.ts).
import { constants, crc32, deflateRawSync, gunzipSync } from "node:zlib";
import { type DeflatedPiece, deflatePiece, GzipJoiner } from "#lib/gzip-join.js";
import { renderToString } from "#lib/jsx-runtime.js";
import type { Cache } from "#platform/changes/cache.js";
import {
  chooseEncoding,
  type Encoding,
  entityTag,
  pageLevel,
  ReadyAnswer,
  Representation,
  tagOf,
} from "#platform/http/answers.js";
import type { Frame } from "#web/context/frame.js";
import { signInPath } from "#web/context/paths.js";
import { type KeptPart, type PlacedPart, PlacedParts } from "#web/context/placed-parts.js";
import { typeWords } from "#web/context/project-types.js";
import { placesOfBottomBar } from "./bottom-bar.js";
import { Head, Layout, type Page } from "./layout.js";
import type { HeaderParts } from "./site-header.js";

/** The parts that pages have in common with others. */
export interface KeptForPages {
  shells: Cache<Shell>;
  parts: Cache<KeptPart>;
}

/** The parts of a page that its shell shows. */
interface Shown {
  url: string;
  /** The text in the search field. */
  query: string;
}

/** A text of the shell, and what follows it: the URL of the page, the link to sign in, the search text, or nothing. */
interface ShellText {
  text: string;
  piece: DeflatedPiece;
  next: "url" | "signIn" | "query" | undefined;
}

export interface Shell {
  /** Before the head of the page, and between its head and its content. */
  start: readonly ShellText[];
  top: readonly ShellText[];
  /** After the content. */
  bottom: readonly ShellText[];
  /** Identifies all of it, apart from the URL. */
  tag: string;
  /** The length of its compressed pieces. */
  bytes: number;
}

/** They stand for the parts of one page while a shell is rendered. No text of a site contains them. */
const marks = { url: "/mark-of-the-url-6f1c", head: "mark-of-the-head-6f1c", content: "mark-of-the-content-6f1c" };
const queryMark = "mark-of-the-query-6f1c";
const signInMark = signInPath(marks.url);
/** Browsers send these characters encoded. All others but & are the same in HTML. */
const unusualUrl = /["<]/;

/**
 * The page, with a shell from the cache if there is one for its URL. It is compressed at once, so that the cache holds nothing
 * else of it, and so that its tag is made of fewer bytes.
 */
export function renderGuestPage(
  { shells, parts }: KeptForPages,
  { content, ...meta }: Page,
  frame: Frame,
): ReadyAnswer {
  const { section, search } = meta;
  const shell = findShell(shells, frame, { section, search });
  if (!shell) {
    const whole = renderToString(
      <Layout frame={frame} head={<Head {...meta} frame={frame} />} section={section} search={search}>
        {content}
      </Layout>,
      frame,
    );
    return new ReadyAnswer(Buffer.from(`<!doctype html>${whole}`), undefined, "page");
  }
  const { start, top } = shell;
  const { url } = frame;
  const shown = { url, query: search?.query ?? "" };
  const placed = new PlacedParts(parts);
  const rendered = renderParts({ ...meta, content }, { ...frame, placed });
  const own = placed.split(`${filled(start, shown)}${rendered.head}${filled(top, shown)}${rendered.content}`);
  if (own.some((part) => typeof part === "string" && part.length > mostAtOnce)) {
    const texts = own.map((part) => (typeof part === "string" ? part : part.piece.toText(part.texts)));
    return new ReadyAnswer(Buffer.from(texts.join("") + filled(shell.bottom, { url, query: "" })), undefined, "page");
  }
  const packed = join(own, shell, url);
  return new PackedPage(packed, entityTag(packed));
}

/** The parts of a page besides its shell. */
export const renderParts = ({ content, ...meta }: Page, frame: Frame): { head: string; content: string } => ({
  head: renderToString(<Head {...meta} frame={frame} />, frame),
  content: renderToString(content, frame),
});

const filled = (texts: readonly ShellText[], shown: Shown): string =>
  texts.map(({ text, next }) => text + (next ? insertOf(next, shown) : "")).join("");

function insertOf(what: NonNullable<ShellText["next"]>, { url, query }: Shown): string {
  if (what === "query") return renderToString(query);
  return what === "url" ? url.replaceAll("&", "&amp;") : signInPath(url);
}

/** A page that is in memory only in its compressed form. The few who do not accept it get what it contains. */
export class PackedPage extends ReadyAnswer {
  readonly #packed: Representation;

  constructor(packed: Buffer, tag: string) {
    super(
      () => gunzipSync(packed),
      () => tag,
      "page",
    );
    this.#packed = new Representation(packed, "gzip", () => tagOf(tag, "gzip"));
  }

  override get bytes(): Buffer {
    return gunzipSync(this.#packed.bytes);
  }

  override get weight(): number {
    return this.#packed.weight;
  }

  override encodingFor(acceptEncoding: string | undefined): Encoding | undefined {
    return chooseEncoding(acceptEncoding).joined;
  }

  override as(encoding: Encoding | undefined): Representation | Promise<Representation> {
    if (encoding === "gzip") return this.#packed;
    // Other forms are not kept.
    return new ReadyAnswer(this.bytes, () => this.tag, "page").as(encoding);
  }
}

/** `own`: everything before the end of the content. */
function join(own: readonly (string | PlacedPart)[], shell: Shell, url: string): Buffer {
  const pieces = own
    // Neighbouring parts have nothing between them.
    .filter((part) => part !== "")
    .map((part) => (typeof part === "string" ? deflateQuickly(scratch.subarray(0, scratch.write(part))) : part));
  const bytes = pieces.reduce(
    (sum, part) => sum + ("piece" in part ? part.piece.deflatedLength : part.bytes.length),
    shell.bytes + slackBytes,
  );
  const joiner = new GzipJoiner(bytes);
  for (const part of pieces) {
    if ("piece" in part) part.piece.addTo(joiner, part.texts);
    else addPiece(joiner, part);
  }
  addShell(joiner, shell.bottom, { url, query: "" });
  return joiner.end();
}

/** Adds one of the three parts of a shell. */
export function addShell(joiner: GzipJoiner, texts: readonly ShellText[], shown: Shown): void {
  for (const { piece, next } of texts) {
    addPiece(joiner, piece);
    if (next) joiner.text(insertOf(next, shown));
  }
}

/**
 * Longer pages are compressed as a whole by a thread, because other requests would have to wait for them. Lists of projects
 * are shorter: handing them to a thread would cost more.
 */
const mostAtOnce = 128 * 1024;

/** The bytes of a page while it is compressed: at most three for each UTF-16 unit. Memory of its own would cost more. */
const scratch = Buffer.allocUnsafeSlow(3 * mostAtOnce);

/** For the head and trailer of gzip, and the texts between the pieces. */
const slackBytes = 512;

export function addPiece(joiner: GzipJoiner, { bytes, length, crc }: DeflatedPiece): void {
  const at = joiner.piece(bytes.length, length, crc);
  joiner.buffer.set(bytes, at);
}

function deflateQuickly(content: Buffer): DeflatedPiece {
  const bytes = deflateRawSync(content, {
    level: pageLevel,
    finishFlush: constants.Z_SYNC_FLUSH,
    // For the result: pages compress to a third of their length.
    chunkSize: Math.max(1024, content.length >> 1),
  });
  return { bytes, length: content.length, crc: crc32(content) };
}

/** Undefined for an unusual URL, and if the shell marks a link that leads to this very URL. */
export function findShell(shells: Cache<Shell>, frame: Frame, { section, search }: HeaderParts): Shell | undefined {
  const { path, url, types, locale, theme, density, setup, notice, look, logo } = frame;
  const linked = [...placesOfBottomBar, ...types.map(typeWords(frame.typeSource, locale).typePath)];
  if (unusualUrl.test(url) || (url !== path && linked.includes(url))) return undefined;
  const isLinked = linked.includes(path);
  // Everything that a shell shows.
  const field = search && { ...search, query: search.query && queryMark };
  const key = JSON.stringify([
    ...[locale, theme, density, section, field, setup],
    ...[isLinked && path, types, notice, look, logo],
  ]);
  const known = shells.get(key);
  if (known) return known;
  const shell = makeShell({ ...frame, path: isLinked ? path : marks.url, url: marks.url }, { section, search: field });
  shells.set(key, shell, 4 * shell.bytes);
  return shell;
}

function makeShell(frame: Frame, { section, search }: HeaderParts): Shell {
  const whole = renderToString(
    <Layout frame={frame} head={marks.head} section={section} search={search}>
      {marks.content}
    </Layout>,
    frame,
  );
  const [start = "", rest = ""] = `<!doctype html>${whole}`.split(marks.head);
  const [top = "", bottom = ""] = rest.split(marks.content);
  const deflated = (html: string): ShellText[] =>
    splitAtMarks(html).map((part) => ({ ...part, piece: deflatePiece(Buffer.from(part.text)) }));
  const parts = { start: deflated(start), top: deflated(top), bottom: deflated(bottom) };
  return {
    ...parts,
    tag: entityTag(whole),
    bytes: Object.values(parts)
      .flat()
      .reduce((sum, { piece }) => sum + piece.bytes.length, 0),
  };
}

/** The link to sign in contains the URL, so that it is tried first. */
const inserts = [
  [signInMark, "signIn"],
  [marks.url, "url"],
  [queryMark, "query"],
] as const;

const splitAtMarks = (
  html: string,
  [first, ...rest]: readonly (typeof inserts)[number][] = inserts,
): Omit<ShellText, "piece">[] => {
  if (!first) return [{ text: html, next: undefined }];
  const [mark, next] = first;
  return html.split(mark).flatMap((part, at, parts) => {
    const texts = splitAtMarks(part, rest);
    const last = texts.pop()!;
    return [...texts, at === parts.length - 1 ? last : { ...last, next }];
  });
};
