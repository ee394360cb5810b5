// Uploads: small files in one request, large ones in parts that are sent again after a failure. An upload that another
// run of the program has begun is continued.
import type { Operations, ProjectVersionData, Upload } from "./api.js";
import { type BodyOf, type Call, randomKey } from "./calls.js";
import type { TransferOptions } from "./downloads.js";
import { ConflictError, IntegrityError, NotFoundError } from "./errors.js";
import { hashBlob } from "./hash.js";

/** A file to send: a File of a browser, or `openFile` of modshelf-client/node. It is read piece by piece. */
export interface SentFile extends Blob {
  readonly name: string;
}

export interface PublishOptions extends TransferOptions {
  /** Repeating the call with the same key publishes once. A random one unless given. */
  idempotencyKey?: string | undefined;
}

/** Everything about a version but its files. */
export type VersionInput = Omit<
  BodyOf<"createVersion">,
  "primaryFile" | "additionalFiles" | "primaryUpload" | "additionalUploads"
>;

export interface Published {
  version: ProjectVersionData;
  /** The same version existed already, and nothing was changed. */
  isUnchanged: boolean;
}

const mebibyte = 1 << 20;
/** Up to this size of all files, one request is quicker than parts, and counts once in the quota of uploads. */
const maxFormBytes = 4 * mebibyte;
/** The server may have parts that we do not know of, but it does not lose them again and again. */
const maxSurprises = 10;

/** Publishes a version; the first file is the one that players install. */
export async function publishVersion(
  call: Call,
  project: string,
  input: VersionInput,
  files: readonly SentFile[],
  { onProgress, signal, idempotencyKey = randomKey() }: PublishOptions = {},
): Promise<Published> {
  const [primary, ...others] = files;
  if (!primary) throw new TypeError("A version needs a file.");
  const total = files.reduce((sum, file) => sum + file.size, 0);
  const send = async (body: BodyOf<"createVersion">) => {
    const answer = await call("createVersion", {
      path: { ref: project },
      body: { ...input, ...body },
      idempotencyKey,
      signal,
    });
    if (answer.data.primaryFile?.sha512_hash !== (await hashBlob(primary, { signal })))
      throw new IntegrityError(`The registry stored other bytes than those of ${primary.name}.`);
    onProgress?.({ bytes: total, total });
    return { version: answer.data, isUnchanged: answer.unchanged === true };
  };

  onProgress?.({ bytes: 0, total });
  if (total <= maxFormBytes)
    return send({ primaryFile: primary, ...(others.length > 0 && { additionalFiles: [...others] }) });
  const ids: string[] = [];
  let before = 0;
  for (const file of files) {
    const report = ({ bytes }: { bytes: number }) => onProgress?.({ bytes: before + bytes, total });
    ids.push((await uploadFile(call, file, { onProgress: report, signal })).id);
    before += file.size;
  }
  const [primaryUpload, ...additionalUploads] = ids as [string, ...string[]];
  return send({ primaryUpload, ...(additionalUploads.length > 0 && { additionalUploads }) });
}

/** Uploads a file in parts, and returns the finished upload, with which a version can be published. */
export async function uploadFile(
  call: Call,
  file: SentFile,
  { onProgress, signal }: TransferOptions = {},
): Promise<Upload> {
  const sha512 = await hashBlob(file, { signal });
  const begun = (await call("listUploads", { signal })).find(
    ({ name, size, isFinished, sha512: known }) =>
      name === file.name && size === file.size && (!isFinished || known === sha512),
  );
  if (begun) {
    const upload = await continueUpload(call, file, begun, { onProgress, signal });
    if (upload?.sha512 === sha512) return upload;
    // The parts of the earlier run were those of another file with the same name and size.
    if (upload) await call("deleteUpload", { path: { uploadId: upload.id }, signal });
  }
  const body = { name: file.name, size: file.size };
  const { upload: created } = await call("beginUpload", { body, signal });
  const upload = await continueUpload(call, file, created, { onProgress, signal });
  if (upload?.sha512 !== sha512)
    throw new IntegrityError(`The registry received other bytes than those of ${file.name}.`);
  return upload;
}

type PartAnswer = Operations["sendPart"]["answer"];

/** Sends the missing parts and finishes; undefined if the server no longer has the upload. */
async function continueUpload(
  call: Call,
  file: SentFile,
  begun: Upload,
  { onProgress, signal }: TransferOptions,
): Promise<Upload | undefined> {
  const path = { uploadId: begun.id };
  // Small enough for smooth progress, large enough for few requests; the server takes parts of 1 to 8 MiB.
  const partBytes = Math.min(8, Math.max(1, Math.ceil(file.size / (20 * mebibyte)))) * mebibyte;
  let { offset } = begun;
  let surprises = 0;
  try {
    while (offset < file.size) {
      onProgress?.({ bytes: offset, total: file.size });
      const part = new Blob([await file.slice(offset, offset + partBytes).arrayBuffer()]);
      const body = { offset, part, sha512: await hashBlob(part) };
      const sent: PartAnswer | undefined = await call("sendPart", { path, body, signal }).catch((error) => {
        const isOffset = error instanceof ConflictError && error.code === "uploadOffsetWrong";
        if (isOffset && ++surprises < maxSurprises) return undefined;
        throw error;
      });
      ({ offset } = sent?.upload ?? (await call("getUpload", { path, signal })));
    }
    onProgress?.({ bytes: file.size, total: file.size });
    return (await call("finishUpload", { path, signal })).upload;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
