// The upper bound: a bare node:http server that has the answer to every URL ready as bytes, or streams one file.
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";

let answers = new Map();
/** For POST requests, and for URLs that are too many to prepare. */
let otherwise = Buffer.alloc(0);
let file;

const server = createServer((request, response) => {
  if (file) {
    response.writeHead(200, { "content-type": "application/java-archive", "content-length": file.size });
    createReadStream(file.path, { highWaterMark: 1024 * 1024 }).pipe(response);
    return;
  }
  const send = () => {
    const answer = answers.get(request.url) ?? otherwise;
    response.writeHead(200, { "content-type": "application/json; charset=utf-8", "content-length": answer.length });
    response.end(answer);
  };
  if (request.method === "GET") return send();
  // A real server must at least read the body.
  request.on("data", () => {}).on("end", send);
});

process.on("message", (message) => {
  file = message.file && { path: message.file, size: statSync(message.file).size };
  answers = new Map((message.answers ?? []).map(([url, answer]) => [url, Buffer.from(answer, "base64")]));
  otherwise = [...answers.values()][0];
  process.send({ ready: true });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.send({ port: server.address().port }));
