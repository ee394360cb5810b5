// The type of an uploaded file: its extension names it, and its first bytes must agree; otherwise it has no type.

export const archiveTypes = ["jar", "zip", "mrpack", "7z", "gz", "tar"] as const;
export type ArchiveType = (typeof archiveTypes)[number];
export const fileTypes = [...archiveTypes, "png", "jpeg", "webp", "gif", "mp4", "webm", "mkv"] as const;
export type FileType = (typeof fileTypes)[number];

/** How many bytes at the start of a file determine its type. */
export const headBytes = 512;

interface TypeRule {
  extensions: readonly string[];
  contentType: string;
  agrees(head: Buffer): boolean;
}

const begins = (signature: string, at = 0) => {
  const expected = Buffer.from(signature, "latin1");
  return (head: Buffer) => head.subarray(at, at + expected.length).equals(expected);
};
const either = (...rules: ((head: Buffer) => boolean)[]) => {
  return (head: Buffer) => rules.some((agrees) => agrees(head));
};
const both = (...rules: ((head: Buffer) => boolean)[]) => {
  return (head: Buffer) => rules.every((agrees) => agrees(head));
};

// An archive without entries begins with its end record. It has a type, so that the inspection can report the fault.
const isZip = either(begins("PK\x03\x04"), begins("PK\x05\x06"));
/** Matroska and WebM differ in one header field, written here as id, length and text. */
const isMatroska = (documentType: string) => {
  const field = Buffer.from(`\x42\x82${String.fromCharCode(0x80 + documentType.length)}${documentType}`, "latin1");
  return both(begins("\x1a\x45\xdf\xa3"), (head) => head.subarray(0, 64).includes(field));
};

const rules: Record<FileType, TypeRule> = {
  jar: { extensions: ["jar"], contentType: "application/java-archive", agrees: isZip },
  zip: { extensions: ["zip"], contentType: "application/zip", agrees: isZip },
  mrpack: { extensions: ["mrpack"], contentType: "application/x-modrinth-modpack+zip", agrees: isZip },
  "7z": { extensions: ["7z"], contentType: "application/x-7z-compressed", agrees: begins("7z\xbc\xaf\x27\x1c") },
  gz: { extensions: ["gz", "tgz"], contentType: "application/gzip", agrees: begins("\x1f\x8b\x08") },
  tar: { extensions: ["tar"], contentType: "application/x-tar", agrees: begins("ustar", 257) },
  png: { extensions: ["png"], contentType: "image/png", agrees: begins("\x89PNG\r\n\x1a\n") },
  jpeg: { extensions: ["jpeg", "jpg"], contentType: "image/jpeg", agrees: begins("\xff\xd8\xff") },
  webp: { extensions: ["webp"], contentType: "image/webp", agrees: both(begins("RIFF"), begins("WEBP", 8)) },
  gif: { extensions: ["gif"], contentType: "image/gif", agrees: either(begins("GIF87a"), begins("GIF89a")) },
  mp4: { extensions: ["mp4"], contentType: "video/mp4", agrees: begins("ftyp", 4) },
  webm: { extensions: ["webm"], contentType: "video/webm", agrees: isMatroska("webm") },
  mkv: { extensions: ["mkv"], contentType: "video/x-matroska", agrees: isMatroska("matroska") },
};

/** Undefined for an unknown extension, and for one that contradicts the file's first `headBytes` bytes. */
export function findFileType(fileName: string, head: Uint8Array): FileType | undefined {
  const dot = fileName.lastIndexOf(".");
  // A name such as ".jar" has no extension.
  if (dot < 1) return undefined;
  const extension = fileName.slice(dot + 1).toLowerCase();
  const type = fileTypes.find((type) => rules[type].extensions.includes(extension));
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  return type && rules[type].agrees(bytes) ? type : undefined;
}

export function isArchiveType(type: FileType): type is ArchiveType {
  return (archiveTypes as readonly string[]).includes(type);
}

export function contentTypeOf(type: string | undefined): string {
  const known = fileTypes.find((name) => name === type);
  return known ? rules[known].contentType : "application/octet-stream";
}
