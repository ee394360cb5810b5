// Checks that recorded answers are right: a sample is decoded and compared with its question.
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";

const sample = 200;
const decoders = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync };

const isRight = {
  project: ({ project }, path) => path.endsWith(project.slug) || path.endsWith(project.id),
  versions: ({ data }) => data.length > 0 && data[0].files.length > 0,
  latest: ({ data }, path) => data.gameVersions.includes(/gameVersion=([^&]+)/.exec(path)[1]),
  hashes: (found, _path, _sent, known) =>
    Object.keys(found).length >= known &&
    Object.entries(found).every(([hash, version]) =>
      version.files.some((file) => file.sha512_hash === hash || file.sha1_hash === hash),
    ),
  updates: (found, _path, { hashes }) => Object.keys(found).every((hash) => hashes.includes(hash)),
  projects: (found, path) => found.length === new Set(path.split("=")[1].split(",")).size,
  search: ({ data, hits }) => Array.isArray(data ?? hits),
  pages: (text) => text.includes("</html>"),
};

export function checkAnswers(recorded) {
  const step = Math.max(1, Math.floor(recorded.length / sample));
  for (let n = 0; n < recorded.length; n += step) {
    const { request, head, pieces } = recorded[n];
    if (request.file) continue;
    const body = Buffer.concat(pieces);
    const encoding = /\r\ncontent-encoding: (\w+)/i.exec(head)?.[1];
    const text = (encoding ? decoders[encoding](body) : body).toString();
    const [asked, sent] = request.bytes.toString().split("\r\n\r\n");
    const found = request.isPage ? text : JSON.parse(text);
    if (!isRight[request.kind](found, asked.split(" ")[1], sent && JSON.parse(sent), request.known))
      throw new Error(`A wrong answer: ${asked}\n${sent.slice(0, 300)}\n${text.slice(0, 1000)}`);
  }
}
