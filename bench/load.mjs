// A load generator in its own process: raw sockets, one request at a time on each, so that it costs far less than the
// server that it measures. It receives a plan from its parent and returns figures.
import { connect } from "node:net";

const headerEnd = Buffer.from("\r\n\r\n");

/** The bytes of the whole answer that begins in this buffer; undefined while its head is incomplete. */
function answerLength(buffer) {
  const end = buffer.indexOf(headerEnd);
  if (end < 0) return undefined;
  const head = buffer.latin1Slice(0, end);
  const length = /\r\ncontent-length: (\d+)/i.exec(head);
  if (!length) throw new Error(`The answer has no Content-Length: ${head.slice(0, 200)}`);
  const status = Number(head.slice(9, 12));
  return { total: end + 4 + Number(length[1]), status };
}

/** `isFresh`: the connection is used for one request only. */
function runConnection(port, requests, { until, isFresh }, samples) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    let next = Math.floor(Math.random() * requests.length);
    let started = 0;
    let missing = 0;
    let head = Buffer.alloc(0);
    const send = () => {
      started = performance.now();
      if (started >= until) return socket.destroy();
      socket.write(requests[next]);
      next = (next + 1) % requests.length;
    };
    const finish = () => {
      samples.push(performance.now() - started);
      if (isFresh) socket.destroy();
      else send();
    };
    socket.on("connect", send);
    socket.on("data", (chunk) => {
      if (missing > 0) {
        missing -= chunk.length;
        if (missing === 0) finish();
        return;
      }
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const answer = answerLength(head);
      if (!answer) return;
      if (answer.status !== 200)
        return reject(new Error(`Status ${answer.status}: ${head.toString("utf8").slice(0, 500)}`));
      missing = answer.total - head.length;
      head = Buffer.alloc(0);
      if (missing === 0) finish();
    });
    socket.on("error", reject);
    socket.on("close", resolve);
  });
}

async function runClient(port, requests, options, samples) {
  do await runConnection(port, requests, options, samples);
  while (options.isFresh && performance.now() < options.until);
}

process.on("message", async ({ port, requests, connections, seconds, isFresh = false }) => {
  try {
    const samples = [];
    const begin = performance.now();
    const buffers = requests.map((request) => Buffer.from(request));
    const options = { until: begin + seconds * 1000, isFresh };
    await Promise.all(Array.from({ length: connections }, () => runClient(port, buffers, options, samples)));
    const elapsed = (performance.now() - begin) / 1000;
    samples.sort((a, b) => a - b);
    const at = (share) => samples[Math.min(samples.length - 1, Math.floor(samples.length * share))];
    process.send({ count: samples.length, perSecond: samples.length / elapsed, p50: at(0.5), p99: at(0.99) });
  } catch (error) {
    process.send({ error: error.message });
  }
});
