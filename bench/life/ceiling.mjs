// The ceiling: a bare node:http server, in its own process, that has every recorded answer ready in the same encoding.
// A request names its answer in a header, so that nothing has to be found out.
import { createReadStream, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";

/** Headers without which the answer would be another one. */
const kept = new Set(["content-type", "content-encoding", "content-length", "etag", "cache-control", "vary"]);
let answers = new Map();

function load(path) {
  const bodies = readFileSync(`${path}.bin`);
  return new Map(
    JSON.parse(readFileSync(`${path}.json`, "utf8")).map(({ answer, headers, file, at, length }) => {
      const size = file ? statSync(file).size : length;
      const sent = headers
        .map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 2)])
        .filter(([name]) => kept.has(name) && name !== "content-length");
      const head = Object.fromEntries([...sent, ["content-length", String(size)]]);
      return [String(answer), { head, file, body: file ? undefined : bodies.subarray(at, at + length) }];
    }),
  );
}

const server = createServer((request, response) => {
  const send = () => {
    const { head, body, file } = answers.get(request.headers["x-answer"]);
    response.writeHead(200, head);
    if (file) createReadStream(file, { highWaterMark: 256 * 1024 }).pipe(response);
    else response.end(body);
  };
  if (request.method === "GET") return send();
  // A real server must at least read the question.
  const pieces = [];
  request.on("data", (piece) => pieces.push(piece));
  request.on("end", send);
});

process.on("message", ({ path }) => {
  answers = load(path);
  process.send({ loaded: true });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.send({ port: server.address().port }));
