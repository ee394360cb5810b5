// The ceilings: bare node:http servers that send a file as an `fs` stream, pass on an answer of the object store, or read
// a body, hash it and write it to a file.
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, unlink } from "node:fs";
import { Agent, createServer, get } from "node:http";
import { join } from "node:path";

let files = new Map();
let storePort;
let chunk;
let folder;
let uploads = 0;
const agent = new Agent({ keepAlive: true, maxFreeSockets: 64 });

const server = createServer((request, response) => {
  if (request.method !== "GET") return receive(request, response);
  const { path, size } = files.get(request.url);
  const head = { "content-type": "application/java-archive", "content-length": size };
  if (storePort === undefined) {
    response.writeHead(200, head);
    createReadStream(path, { highWaterMark: chunk }).pipe(response);
    return;
  }
  get({ agent, host: "127.0.0.1", port: storePort, path: `/bench/${path.slice(path.indexOf("blobs/"))}` }, (answer) => {
    response.writeHead(200, head);
    answer.pipe(response);
  });
});

function receive(request, response) {
  const path = join(folder, `bare-${uploads++}`);
  const [sha1, sha512] = [createHash("sha1"), createHash("sha512")];
  const file = createWriteStream(path);
  request.on("data", (chunk) => {
    sha1.update(chunk);
    sha512.update(chunk);
  });
  request.pipe(file);
  file.on("finish", () => {
    const text = JSON.stringify({ sha1: sha1.digest("hex"), sha512: sha512.digest("hex") });
    response.writeHead(200, { "content-type": "application/json", "content-length": text.length });
    response.end(text);
    unlink(path, () => {});
  });
}

process.on("message", (message) => {
  if (message.files) {
    files = new Map(message.files.map(({ url, ...file }) => [url, file]));
    storePort = message.store;
    chunk = message.chunk;
    process.send({ ready: true });
  } else folder = message.folder;
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.send({ port: server.address().port }));
