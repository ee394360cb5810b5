// Walks a ZIP archive once, from its first byte to its last. Every byte must be accounted for, and reading the archive
// forward must find the same entries as following the directory at its end.
import type { ByteInput } from "./byte-input.js";
import { checkPath, createNameRegister } from "./entry-names.js";
import { refuse } from "./problems.js";
import { readContent, type Walk } from "./walk.js";
import { checkEntryData, openEntryData } from "./zip-data.js";
import { type FoundEntry, readDirectory } from "./zip-directory.js";
import { readLocalRecord, readSignature, signatures } from "./zip-records.js";

/** Entries may be aligned to page boundaries; the padding must be zeros. */
const maxPadding = 4096;

export async function walkZip(input: ByteInput, walk: Walk, level = 0, path = ""): Promise<void> {
  const names = createNameRegister(walk.limits);
  const found = new Map<number, FoundEntry>();
  const first = (await input.peek(4)).length < 4 ? 0 : await readSignature(input);
  if (first !== signatures.entry && first !== signatures.end) refuse("notAnArchive");
  let hasFiles = false;
  while ((await readSignature(input)) === signatures.entry) {
    if (found.size >= walk.limits.maxEntries) refuse("tooManyEntries", undefined, ["limit", walk.limits.maxEntries]);
    const offset = input.position;
    const record = await readLocalRecord(input);
    const isFolder = record.name.endsWith("/");
    hasFiles ||= !isFolder;
    checkPath(record.name, walk.limits);
    names.add(record.name);
    walk.budget.addEntry();
    if (!record.hasDescriptor) walk.budget.announce(record.size, record.name);
    const { pieces, facts } = openEntryData(input, record, walk.budget);
    await readContent(walk, level, record.name, path, pieces);
    if (isFolder && facts.size > 0) refuse("hiddenData", record.name, ["folderWithContent"]);
    await checkEntryData(input, record, facts);
    found.set(offset, { ...facts, nameDigest: record.nameDigest, method: record.method });
    await skipPadding(input);
  }
  // An empty archive inside another one is harmless.
  if (!hasFiles && level === 0) refuse("empty");
  await readDirectory(input, found);
}

async function skipPadding(input: ByteInput): Promise<void> {
  const bytes = await input.peek(maxPadding);
  if (bytes[0] !== 0) return;
  const length = bytes.findIndex((byte) => byte !== 0);
  if (length < 0) refuse(bytes.length < maxPadding ? "truncated" : "hiddenData");
  input.skip(length);
}
