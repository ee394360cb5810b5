// A page as it is stored: its head and its content, deflated, with gaps for live texts, and everything that says whether it
// still shows the current state. When it is sent, it is joined with its shell (guest-page.tsx), without compressing anything.
import { crc32 } from "node:zlib";
import { type DeflatedPiece, deflatePiece, GzipJoiner } from "#lib/gzip-join.js";
import { entityTag } from "#platform/http/answers.js";
import { addPiece, addShell, PackedPage, type Shell } from "./guest-page.js";
import type { LiveHtml, LiveText } from "./live-texts.js";
import type { EncodedPage } from "./page-file.js";

/** Everything that a page was made of. */
export interface Origin {
  /** Identifies the program and its settings. */
  stamp: string;
  madeAt: number;
  /** The ids of the projects that it shows more of than a tile, and their records. */
  projects: readonly string[];
  records: string;
  /** The same for tiles, and what they show. */
  tiles: readonly string[];
  tileRecords: string;
  shownTiles: string;
  /** The author of the project, and the author's other projects that the index had. */
  author: string;
  others: string;
  /** The page cannot be stored at present. */
  isEmpty: boolean;
}

/** Undefined if it is damaged. */
export function readOrigin(encoded: string): Origin | undefined {
  try {
    return JSON.parse(encoded) as Origin;
  } catch {
    return undefined;
  }
}

interface Described {
  section?: string | undefined;
  /** Identifies the texts without live ones. */
  tag: string;
  head: readonly LiveText[];
  content: readonly LiveText[];
  /** Bytes, and length and CRC-32 of the content. */
  pieces: readonly (readonly [bytes: number, length: number, crc: number])[];
}

/** The head of the page, and what is between the header and the footer of the site. */
export interface PageTexts {
  section?: string | undefined;
  head: LiveHtml;
  content: LiveHtml;
}

/** Before the description: its checksum with everything after it, and its length. */
const startBytes = 8;

/** Without texts, it says that the page cannot be stored at present. */
export function encodePage(origin: Omit<Origin, "isEmpty">, page?: PageTexts): EncodedPage {
  const whole: Origin = { ...origin, isEmpty: page === undefined };
  return { origin: JSON.stringify(whole), page: page ? encodeTexts(page) : Buffer.alloc(0) };
}

function encodeTexts({ section, head, content }: PageTexts): Buffer {
  const texts = [...head.texts, ...content.texts];
  const pieces = texts.map((text) => deflatePiece(Buffer.from(text)));
  const described: Described = {
    section,
    tag: entityTag(texts.join("\0")),
    ...{ head: head.live, content: content.live },
    pieces: pieces.map(({ bytes, length, crc }) => [bytes.length, length, crc]),
  };
  const description = Buffer.from(JSON.stringify(described));
  const start = Buffer.alloc(startBytes);
  const encoded = Buffer.concat([start, description, ...pieces.map(({ bytes }) => bytes)]);
  encoded.writeUInt32LE(description.length, 4);
  encoded.writeUInt32LE(crc32(encoded.subarray(4)), 0);
  return encoded;
}

export class StoredPage {
  readonly #described: Described;
  readonly #pieces: readonly DeflatedPiece[];

  /** Throws if the bytes are damaged. */
  constructor(encoded: Uint8Array) {
    const bytes = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.length);
    if (bytes.readUInt32LE(0) !== crc32(bytes.subarray(4))) throw new Error("A stored page is damaged");
    let at = startBytes + bytes.readUInt32LE(4);
    this.#described = JSON.parse(bytes.toString("utf8", startBytes, at)) as Described;
    this.#pieces = this.#described.pieces.map(([size, length, crc]) => {
      at += size;
      return { bytes: bytes.subarray(at - size, at), length, crc };
    });
  }

  get section(): string | undefined {
    return this.#described.section;
  }

  /** `fill` makes a live text. */
  join(shell: Shell, url: string, fill: (text: LiveText) => string): PackedPage {
    const { head, content, tag } = this.#described;
    const filled = [...head, ...content].map(fill);
    const bytes = this.#pieces.reduce((sum, piece) => sum + piece.bytes.length, shell.bytes + 3 * url.length);
    const joiner = new GzipJoiner(bytes + slackBytes);
    const shown = { url, query: "" };
    addShell(joiner, shell.start, shown);
    this.#add(joiner, 0, head.length, filled);
    addShell(joiner, shell.top, shown);
    this.#add(joiner, head.length + 1, content.length, filled.slice(head.length));
    addShell(joiner, shell.bottom, shown);
    const packed = joiner.end();
    return new PackedPage(packed, tag.slice(0, 10) + shell.tag.slice(0, 6) + checksumIn(packed));
  }

  /** Adds pieces and the live texts between them. */
  #add(joiner: GzipJoiner, first: number, gaps: number, filled: readonly string[]): void {
    for (let gap = 0; gap <= gaps; gap++) {
      addPiece(joiner, this.#pieces[first + gap]!);
      if (gap < gaps) joiner.text(filled[gap]!);
    }
  }
}

/** The CRC-32 of the whole page, from the trailer of gzip. In its tag it stands for the live texts and the URL. */
const checksumIn = (packed: Buffer): string => packed.toString("base64url", packed.length - 8, packed.length - 4);

/** For the head and trailer of gzip, the live texts, and the texts in the shell. */
const slackBytes = 1024;
