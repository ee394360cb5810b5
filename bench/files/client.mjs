// The load generator, in its own process: raw sockets, one request at a time on each. It is told a plan, prepares it, sends
// its requests when it is told to go, and tidies up.
import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { makeArchive } from "../../dist/server/src/operations/demo/archive.js";
import { projectTypes } from "../life/registry/taxonomy.mjs";
import { mixed, seeded, zipf } from "../random.mjs";

const fileBytes = 5_000_000;
const boundary = "----------------------------742873492347289347892374";
const noise = randomBytes(fileBytes / 2).toString("hex");
/** How often, and for how long, is asked whether the downloads are counted. */
const askMs = 50;
const longestCountingMs = 30_000;
let plan;
let ready;
let last;
let published = 0;

process.on("message", async (message) => {
  try {
    if (message === "go") process.send(await go());
    else if (message === "end") process.send(await end());
    else process.send(await prepare(message));
  } catch (error) {
    process.send({ error: error.stack });
  }
});

async function prepare(given) {
  plan = given;
  last = undefined;
  if (plan.kind === "download") {
    const random = seeded(mixed(plan.firstAddress, 1));
    const rank =
      plan.choice === "zipf" ? zipf(plan.files.length, 0.9) : (draw) => Math.floor(draw() * plan.files.length);
    const wanted = Array.from({ length: plan.count }, () => plan.files[rank(random)]);
    ready = wanted.map((file, at) => [toDownload(file, plan.firstAddress + at)]);
    if (plan.isCounted && !plan.isBare) last = await lastFigure(wanted);
  } else if (plan.kind === "publish") ready = Array.from({ length: plan.count }, () => toPublished());
  else {
    const perConnection = Math.ceil(plan.count / plan.connections);
    const size = perConnection * fileBytes;
    plan.uploads = plan.isBare
      ? [1]
      : await Promise.all(Array.from({ length: plan.connections }, (_, n) => begin(`part-${n}.jar`, size)));
    // Each connection continues its own upload.
    ready = Array.from({ length: perConnection * plan.connections }, (_, at) =>
      toPart(plan.uploads[at % plan.uploads.length], Math.floor(at / plan.connections) * fileBytes),
    );
  }
  return { ready: true };
}

async function go() {
  const lists = Array.from({ length: plan.connections }, () => []);
  for (const [at, request] of ready.entries()) lists[at % lists.length].push(request);
  await Promise.all(lists.map((list) => talk(list)));
  if (last) await untilCounted(last);
  return { count: ready.length };
}

/** The figure that the project of the last file shows when all its downloads are counted. */
async function lastFigure(files) {
  const projectOf = ({ url }) => /project\/([^/]+)/.exec(url)[1];
  const project = projectOf(files.at(-1));
  const uses = files.filter((file) => projectOf(file) === project).length;
  return { project, expected: (await downloadsOf(project)) + uses };
}

const downloadsOf = async (project) => (await ask("GET", `/api/project/${project}`)).project.downloads;

async function untilCounted({ project, expected }) {
  const end = performance.now() + longestCountingMs;
  while ((await downloadsOf(project)) !== expected) {
    if (performance.now() > end) throw new Error("The downloads were not counted");
    await pause(askMs);
  }
}

async function end() {
  if (plan.uploads && !plan.isBare) for (const id of plan.uploads) await ask("DELETE", `/api/upload/${id}`);
  return { ended: true };
}

const toDownload = ({ url }, n) => {
  const address = `${20 + (n % 80)}.${(n >> 6) & 255}.${(n >> 14) & 255}.${mixed(n, 7) & 255}`;
  const use = plan.isCounted ? "" : "sec-fetch-dest: image\r\n";
  return Buffer.from(
    `GET ${url} HTTP/1.1\r\nhost: localhost\r\nuser-agent: launcher/1.0\r\n${use}x-forwarded-for: ${address}\r\n\r\n`,
  );
};

function toPart(id, offset) {
  const first = Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="offset"\r\n\r\n${offset}\r\n${fileHead("part", "part.jar")}`,
  );
  return toForm("PATCH", `/api/upload/${id}`, [first, Buffer.from(noise, "latin1")]);
}

function toPublished() {
  const project = plan.publish.projects[published % plan.publish.projects.length];
  const number = `9.${process.pid}.${published++}`;
  const loaders = projectTypes[project.type].loaders.slice(0, 1);
  const parts = { title: `Release ${number}`, changelog: "", versionNumber: number };
  Object.assign(parts, { gameVersions: JSON.stringify([plan.publish.game]), loaders: JSON.stringify(loaders) });
  const texts = Object.entries(parts).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const archive = makeArchive([
    { name: "number.txt", text: number },
    { name: "content.txt", text: noise },
  ]);
  const first = Buffer.from(texts.join("") + fileHead("primaryFile", `new.${project.file}`));
  return toForm("POST", `/api/project/${project.id}/version`, [first, archive]);
}

const fileHead = (part, name) =>
  `--${boundary}\r\ncontent-disposition: form-data; name="${part}"; filename="${name}"\r\ncontent-type: application/octet-stream\r\n\r\n`;

function toForm(method, path, pieces) {
  const body = [...pieces, Buffer.from(`\r\n--${boundary}--\r\n`)];
  const length = body.reduce((sum, piece) => sum + piece.length, 0);
  const type = `multipart/form-data; boundary=${boundary}`;
  const head = `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${plan.publish.token}\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`;
  return [Buffer.from(head), ...body];
}

async function ask(method, path, body) {
  const headers = { authorization: plan.publish.token, ...(body && { "content-type": "application/json" }) };
  const answer = await fetch(`http://127.0.0.1:${plan.port}${path}`, {
    ...{ method, headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

const begin = async (name, size) => (await ask("POST", "/api/upload", { name, size })).upload.id;

/** Sends the requests of one connection. */
function talk(requests) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: plan.port, host: "127.0.0.1", noDelay: true });
    let next = 0;
    let missing = 0;
    let head = Buffer.alloc(0);
    const send = () => {
      if (next === requests.length) return socket.destroy();
      for (const piece of requests[next++]) socket.write(piece);
    };
    socket.on("connect", send);
    socket.on("data", (chunk) => {
      if (missing > 0) missing -= chunk.length;
      else {
        head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
        const end = head.indexOf("\r\n\r\n");
        if (end < 0) return;
        const text = head.latin1Slice(0, end);
        if (!text.startsWith("HTTP/1.1 200")) return void socket.destroy(new Error(head.toString().slice(0, 1000)));
        missing = end + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(text)[1]) - head.length;
        head = Buffer.alloc(0);
      }
      if (missing === 0) send();
    });
    socket.on("error", reject);
    socket.on("end", () => reject(new Error("The server closed a connection")));
    socket.on("close", resolve);
  });
}
