// Examines a finished upload: the metadata of its manifest, which fills in forms, or the reason why it cannot be
// published.

import { getTaxonomy } from "#content/taxonomy/read.js";
import { toJson } from "#lib/json.js";
import { Failure } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import { packSentence } from "#words/said.js";
import type { FileFacts } from "./contract.js";
import { examineFile } from "./examine.js";
import { gameVersionsIn } from "./manifest-game-versions.js";
import { getUploadRow, toHex, type UploadRow } from "./read.js";
import { aloneWithUpload, joinParts } from "./write.js";

const nothing: FileFacts = {
  problem: null,
  type: null,
  id: null,
  name: null,
  version: null,
  description: null,
  license: null,
  loaders: [],
  gameVersionRange: null,
  gameVersions: [],
  dependencies: [],
};

/** Joins the parts and stores the facts about the file. May be repeated. */
export const finishUpload = (resources: Resources, userId: string, id: string): Promise<UploadRow> =>
  aloneWithUpload(resources, id, async () => {
    const row = await joinParts(resources, userId, id);
    if (row.facts !== null) return row;
    const facts = await findFacts(resources, row);
    // A version has used the file since, so the facts are not needed.
    if (!facts) return row;
    await resources.db
      .updateTable("uploads")
      .set({ facts: toJson<unknown>(facts) })
      .where("id", "=", id)
      .execute();
    return getUploadRow(resources, userId, id);
  });

async function findFacts(resources: Resources, row: UploadRow): Promise<FileFacts | undefined> {
  const file = await resources.blobs.findRetained(row.whole!);
  if (!file) return undefined;
  const blob = { ...file, sha512: toHex(row.sha512!), sha1: toHex(row.sha1!), discard: async () => {} };
  try {
    const { type, hints } = await examineFile(resources, { name: row.name, blob });
    const range = hints.gameVersionRange ?? null;
    const known = (await getTaxonomy(resources)).gameVersions.map(({ value }) => value);
    return {
      problem: null,
      type,
      id: hints.id ?? null,
      name: hints.name ?? null,
      version: hints.version ?? null,
      description: hints.description ?? null,
      license: hints.license ?? null,
      loaders: [...hints.loaders],
      gameVersionRange: range,
      gameVersions: gameVersionsIn(range, known),
      dependencies: [...(hints.dependencies ?? [])],
    };
  } catch (error) {
    // Publishing decides whether the file is acceptable; this tells the author before they fill in the form.
    if (error instanceof Failure && error.status < 500) return { ...nothing, problem: packSentence(error.said) };
    throw error;
  }
}
