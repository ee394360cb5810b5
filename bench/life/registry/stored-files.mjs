// The files and pictures of the generated registry that really have bytes, in the layout of the product's file store.
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { mixed, seeded } from "../../random.mjs";
import { registry } from "../parameters.mjs";

const digest = (bytes) => ({
  sha1: createHash("sha1").update(bytes).digest(),
  sha512: createHash("sha512").update(bytes).digest(),
  size: bytes.length,
});

export const blobPath = (folder, sha512) => {
  const hex = Buffer.from(sha512).toString("hex");
  return join(folder, "files", "blobs", hex.slice(0, 2), hex.slice(2, 4), hex);
};

function store(folder, bytes) {
  const facts = digest(bytes);
  const path = blobPath(folder, facts.sha512);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  return facts;
}

/** Bytes that do not compress, as those of an archive. */
function noise(seed, length) {
  const random = seeded(seed);
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at + 4 <= length; at += 4) bytes.writeUInt32LE(random() * 4294967296, at);
  return bytes;
}

/** Stores the primary file of the newest version of the most popular projects. Returns [number, sha1, sha512, size]. */
export function storeFiles(folder, world) {
  const { small, smallBytes, large, largeBytes } = registry.stored;
  const all = [];
  const count = Math.min(world.projects, small + large);
  // The large ones are spread among the others.
  const every = Math.max(1, Math.floor(count / large));
  for (let rank = 0; rank < count; rank++) {
    const n = world.byPopularity[rank];
    const at = world.firsts[n] + world.counts[n] - 1;
    const isLarge = rank % every === every - 1;
    const facts = store(folder, noise(mixed(world.seed, at), isLarge ? largeBytes : smallBytes));
    all.push([at, facts.sha1.toString("hex"), facts.sha512.toString("hex"), facts.size]);
  }
  return all;
}

/** Tells the world which files have bytes. */
export function knowStored(world, list) {
  for (const [at, sha1, sha512, size] of list)
    world.stored.set(at, { sha1: Buffer.from(sha1, "hex"), sha512: Buffer.from(sha512, "hex"), size });
}

/** A few pictures that all projects share. */
export async function storePictures(folder) {
  const { default: sharp } = await import("sharp");
  const { drawIcon, drawScene } = await import("../../../dist/server/src/operations/demo/pictures.js");
  const make = async (picture, width, height) =>
    store(
      folder,
      await sharp(await picture)
        .resize(width, height)
        .webp()
        .toBuffer(),
    );
  const names = ["Amber", "Birch", "Cedar", "Dune"];
  return {
    icons: await Promise.all(names.map((name) => make(drawIcon(name), 128, 128))),
    scenes: await Promise.all(names.map((name) => make(drawScene(name, 1), 640, 360))),
  };
}
