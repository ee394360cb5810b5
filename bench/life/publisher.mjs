// Publishes versions at a steady rate, as build scripts do: a real form with a real archive and an access token.
import { randomBytes } from "node:crypto";
import { Agent, request } from "node:http";
import { performance } from "node:perf_hooks";
import { makeArchive } from "../../dist/server/src/operations/demo/archive.js";
import { mixed, pick, seeded } from "../random.mjs";
import { projectTypes } from "./registry/taxonomy.mjs";

const boundary = "----life";
const fileBytes = 24 * 1024;
/** Uploads at the same time; the server allows an account 16. Later ones are left out and counted. */
const mostAtOnce = 8;

export function startPublishing({ port, seed, publish }, world) {
  const { token, perSecond, projects } = publish;
  const random = seeded(mixed(seed, 5));
  const agent = new Agent({ keepAlive: true });
  let times = [];
  const running = new Set();
  let count = 0;
  let missed = 0;
  let failure;
  /** The publications since the last call. */
  const take = () => {
    const taken = { times, missed };
    [times, missed] = [[], 0];
    return taken;
  };
  const one = () => {
    if (running.size >= mostAtOnce) {
      missed++;
      return;
    }
    const project = world.project(pick(random, projects));
    const begun = performance.now();
    const work = send({
      port,
      agent,
      token,
      project,
      number: `9.${Date.now()}.${count++}`,
      game: world.gameVersions[0],
    })
      .then(() => times.push(performance.now() - begun))
      .catch((error) => {
        failure ??= error;
      })
      .finally(() => running.delete(work));
    running.add(work);
  };
  const timer = setInterval(one, 1000 / perSecond);
  one();
  return {
    take,
    async stop() {
      clearInterval(timer);
      await Promise.all(running);
      agent.destroy();
      if (failure) throw failure;
      return take();
    },
  };
}

/** The figures of several takes together. */
export function summarize(taken) {
  const times = taken.flatMap((one) => one.times).sort((a, b) => a - b);
  const at = (share) => times[Math.floor(times.length * share)] ?? 0;
  const missed = taken.reduce((sum, one) => sum + one.missed, 0);
  return { count: times.length, missed, p50: at(0.5), p99: at(0.99) };
}

function formOf({ project, number, game }) {
  const loaders = projectTypes[project.type].loaders.slice(0, 1);
  const parts = { title: `Release ${number}`, changelog: "- something new", versionNumber: number };
  Object.assign(parts, { gameVersions: JSON.stringify([game]), loaders: JSON.stringify(loaders) });
  const noise = randomBytes(fileBytes / 2).toString("hex");
  const archive = makeArchive([{ name: "content.txt", text: noise }]);
  const texts = Object.entries(parts).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const file = `--${boundary}\r\ncontent-disposition: form-data; name="primaryFile"; filename="new.${project.file}"\r\ncontent-type: application/octet-stream\r\n\r\n`;
  return Buffer.concat([Buffer.from(texts.join("") + file), archive, Buffer.from(`\r\n--${boundary}--\r\n`)]);
}

const send = ({ port, agent, token, project, ...version }) =>
  new Promise((resolve, reject) => {
    const body = formOf({ project, ...version });
    const headers = { "content-type": `multipart/form-data; boundary=${boundary}`, "content-length": body.length };
    Object.assign(headers, { authorization: token });
    const sent = request(
      { port, host: "127.0.0.1", agent, method: "POST", path: `/api/project/${project.id}/version`, headers },
      (answer) => {
        const pieces = [];
        answer.on("data", (piece) => pieces.push(piece));
        answer.on("end", () => {
          const text = Buffer.concat(pieces).toString();
          if (answer.statusCode === 200) resolve();
          else reject(new Error(`Publishing failed: ${answer.statusCode} ${text.slice(0, 500)}`));
        });
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
