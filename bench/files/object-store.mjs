// An object store with the few operations of S3 that the server needs to start and to send files: objects are those of the
// file store, kept in memory, and those that were put. It checks no signatures: only its clients are measured.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

const bucket = "/bench/";
const put = new Map();
const read = new Map();
let folder;

function find(key) {
  const known = put.get(key) ?? read.get(key);
  if (known || !key.startsWith("blobs/")) return known;
  try {
    const bytes = readFileSync(join(folder, "files", key));
    read.set(key, bytes);
    return bytes;
  } catch {
    return undefined;
  }
}

const server = createServer((request, response) => {
  const key = request.url.split("?")[0].slice(bucket.length);
  if (request.method === "PUT") {
    const pieces = [];
    request.on("data", (piece) => pieces.push(piece));
    request.on("end", () => {
      const bytes = Buffer.concat(pieces);
      put.set(key, bytes);
      response
        .writeHead(200, { etag: `"${createHash("md5").update(bytes).digest("hex")}"`, "content-length": 0 })
        .end();
    });
    return;
  }
  if (request.method === "DELETE") {
    put.delete(key);
    response.writeHead(204).end();
    return;
  }
  const bytes = find(key);
  if (!bytes) return void response.writeHead(404, { "content-length": 0 }).end();
  response.writeHead(200, { "content-length": bytes.length, "content-type": "application/octet-stream" });
  response.end(request.method === "HEAD" ? undefined : bytes);
});

process.on("message", (message) => {
  folder = message.folder;
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.send({ port: server.address().port }));
