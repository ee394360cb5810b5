// Version files on the content host, found in prepared projects. Returns undefined for anything that is not public, not
// prepared or not a plain request. The ordinary route then answers, so this file makes answers faster but never different.
import { preparedOf } from "#content/catalog/prepared-catalog.js";
import { noteHotDownload } from "#content/downloads/counters.js";
import { fileMemoryOf, smallFileBytes } from "#content/downloads/file-memory.js";
import { fileHeaders, isSentElsewhere, type SentFile } from "#content/downloads/send-file.js";
import { contentTypeOf } from "#platform/archives/file-types.js";
import { publicAnswerHeaders } from "#platform/http/constant-headers.js";
import type { FindHotFile, HotFile } from "#platform/http/hot-file.js";
import type { Resources } from "#platform/http/resources.js";
import { getVersionFile } from "./file-contract.js";
import { immutable } from "./file-routes.js";
import { findPreparedFile, findPreparedVersion } from "./prepared-file.js";

const start = "/cdn/data/project/";
/** Names of files have no other characters (lib/file-names.ts); URLs in answers have "%2B" for a plus sign. */
const address = /^([A-Za-z0-9]{1,64})\/version\/([A-Za-z0-9]{1,64})\/((?:[A-Za-z0-9._+-]|%2B){1,255})$/;

/** An estimate: a hash, as it is and as an ETag, and lists of headers. */
const factsBytes = 800;

interface Facts {
  /** Identifies the content of the version, of which everything else is made. */
  digest: string;
  file: HotFile;
}

export function hotFiles(resources: Resources): FindHotFile {
  const prepared = preparedOf(resources);
  const known = resources.memory.createCache<Facts>({ name: "fileFacts" });
  return (url) => {
    if (!url.startsWith(start) || isSentElsewhere(resources.config)) return undefined;
    const [, projectId = "", versionId = "", given = ""] = address.exec(url.slice(start.length)) ?? [];
    const project = prepared.peek(projectId);
    const ordinal = project ? findPreparedVersion(project, versionId) : -1;
    if (!project || ordinal < 0) return undefined;
    const digest = project.versionDigest(ordinal);
    const facts = known.get(url);
    if (facts?.digest === digest) return facts.file;
    try {
      const stored = findPreparedFile(project, ordinal, given.replaceAll("%2B", "+"));
      if (!stored) return undefined;
      const file = toHotFile(resources, { projectId, versionId }, stored);
      known.set(url, { digest, file }, factsBytes);
      return file;
    } catch {
      // The catalogue has noted that the record cannot be read.
      return undefined;
    }
  };
}

function toHotFile(
  resources: Resources,
  version: { projectId: string; versionId: string },
  file: SentFile["file"],
): HotFile {
  const { size, sha512 } = file;
  return {
    route: getVersionFile.path,
    headers: publicAnswerHeaders(resources.config.http.url, immutable, {
      ...fileHeaders(file),
      "content-type": contentTypeOf(file.type),
      "content-length": String(size),
    }),
    open: () => (size > smallFileBytes ? resources.blobs.openToSend(sha512) : fileMemoryOf(resources).get(file)),
    note(by) {
      if (file.isPrimary) noteHotDownload(by, resources, version);
    },
  };
}
