// Listings of a bucket, page by page: objects, and unfinished multipart uploads.
import { BlobStorageUnavailable } from "./errors.js";
import type { S3Client } from "./s3-client.js";
import { findText, listElements } from "./s3-xml.js";

interface ListedObject {
  key: string;
  size: number;
  lastModified: Date;
}

interface ListedUpload {
  key: string;
  uploadId: string;
  initiated: Date;
}

export async function* listObjects(client: S3Client, prefix: string): AsyncGenerator<ListedObject> {
  for await (const page of listPages(client, { "list-type": "2", prefix }, [200], {
    "continuation-token": "NextContinuationToken",
  })) {
    for (const entry of listElements(page, "Contents")) {
      yield {
        key: findText(entry, "Key") ?? "",
        size: Number(findText(entry, "Size")),
        lastModified: new Date(findText(entry, "LastModified") ?? ""),
      };
    }
  }
}

export async function* listUploads(client: S3Client, prefix: string): AsyncGenerator<ListedUpload> {
  // Some servers have no such list: there a lifecycle rule of the bucket must delete unfinished uploads.
  for await (const page of listPages(client, { uploads: "", prefix }, [200, 405, 501], {
    "key-marker": "NextKeyMarker",
    "upload-id-marker": "NextUploadIdMarker",
  })) {
    for (const entry of listElements(page, "Upload")) {
      yield {
        key: findText(entry, "Key") ?? "",
        uploadId: findText(entry, "UploadId") ?? "",
        initiated: new Date(findText(entry, "Initiated") ?? ""),
      };
    }
  }
}

/** `markers`: the parameters that request the next page, and the elements of this page that contain their values. */
async function* listPages(
  client: S3Client,
  query: Record<string, string>,
  accept: number[],
  markers: Record<string, string>,
): AsyncGenerator<string> {
  let where: Record<string, string> = {};
  for (;;) {
    const { status, text } = await client.send({ method: "GET", query: { ...query, ...where }, accept });
    if (status !== 200) return;
    yield text;
    if (findText(text, "IsTruncated") !== "true") return;
    const next = Object.fromEntries(
      Object.entries(markers).map(([name, element]) => [name, findText(text, element) ?? ""]),
    );
    // Without progress this would loop forever.
    if (Object.keys(next).every((name) => next[name] === (where[name] ?? ""))) {
      throw new BlobStorageUnavailable("S3 lists the same page repeatedly");
    }
    where = next;
  }
}
