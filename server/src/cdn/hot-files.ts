// Version files on the content host, found in prepared projects. Returns undefined for anything that is not public, not
// prepared or not a plain request. The ordinary route then answers, so this file makes answers faster but never different.
import { preparedOf } from "#content/catalog/prepared-catalog.js";
import { noteHotDownload } from "#content/downloads/counters.js";
import { fileMemoryOf, smallFileBytes } from "#content/downloads/file-memory.js";
import { constantFileHeaders, isSentElsewhere, ownFileHeaders, type SentFile } from "#content/downloads/send-file.js";
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

/** An estimate: a hash, a digest and a name with their objects. Headers, which take twice as much, are made for each answer. */
const factsBytes = 350;

interface Facts {
  /** Identifies the content of the version, of which everything else is made. */
  digest: string;
  file: SentFile["file"];
}

export function hotFiles(resources: Resources): FindHotFile {
  const prepared = preparedOf(resources);
  const known = resources.memory.createCache<Facts>({ name: "fileFacts" });
  const headersOf = headersOfFiles(resources.config.http.url);
  return (url) => {
    if (!url.startsWith(start) || isSentElsewhere(resources.config)) return undefined;
    const [, projectId = "", versionId = "", given = ""] = address.exec(url.slice(start.length)) ?? [];
    const project = prepared.peek(projectId);
    const ordinal = project ? findPreparedVersion(project, versionId) : -1;
    if (!project || ordinal < 0) return undefined;
    const digest = project.versionDigest(ordinal);
    // The id of a version is enough, and half as long as the URL.
    const key = `${versionId}/${given}`;
    let facts = known.get(key);
    try {
      if (facts?.digest !== digest) {
        const file = findPreparedFile(project, ordinal, given.replaceAll("%2B", "+"));
        if (!file) return undefined;
        facts = { digest, file };
        known.set(key, facts, factsBytes);
      }
    } catch {
      // The catalogue has noted that the record cannot be read.
      return undefined;
    }
    return toHotFile(resources, { projectId, versionId }, facts.file, headersOf(facts.file));
  };
}

/** Headers that are the same for all files of a type are made once. */
function headersOfFiles(siteUrl: string): (file: SentFile["file"]) => string[] {
  const constant = new Map<string, readonly string[]>();
  const constantOf = (type: string): readonly string[] => {
    const known = constant.get(type);
    if (known) return known;
    const headers = publicAnswerHeaders(siteUrl, immutable, {
      ...constantFileHeaders,
      "content-type": contentTypeOf(type),
    });
    constant.set(type, headers);
    return headers;
  };
  return (file) => {
    const { etag, "content-disposition": disposition } = ownFileHeaders(file);
    const own = ["etag", etag, "content-disposition", disposition, "content-length", String(file.size)];
    return [...constantOf(file.type), ...own];
  };
}

function toHotFile(
  resources: Resources,
  version: { projectId: string; versionId: string },
  file: SentFile["file"],
  headers: readonly string[],
): HotFile {
  const { size, sha512 } = file;
  return {
    route: getVersionFile.path,
    headers,
    open: () => (size > smallFileBytes ? resources.blobs.openToSend(sha512) : fileMemoryOf(resources).get(file)),
    note(by) {
      if (file.isPrimary) noteHotDownload(by, resources, version);
    },
  };
}
