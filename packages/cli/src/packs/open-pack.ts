// Opens a pack on this computer: an .mrpack file, or a folder of packwiz, also as ZIP.
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Failure } from "#shelf/failures.js";
import { disabledEnding } from "#shelf/folder/files.js";
import { isMrpack, readMrpack } from "./mrpack.js";
import { type Contents, checkCount, digest, type Pack, type PackContent, type Side } from "./pack.js";
import { findPackToml, readPackwiz } from "./packwiz.js";
import { badPack, checkPath, checkPaths } from "./paths.js";
import { ZipFile } from "./zip.js";

/** It must be closed. */
export async function openPack(path: string, side: Side): Promise<Pack> {
  const found = await stat(path);
  const isToml = found.isFile() && basename(path) === "pack.toml";
  const folder = found.isDirectory() ? path : isToml ? dirname(path) : undefined;
  if (folder !== undefined) {
    const read = (name: string) => createReadStream(join(folder, name));
    await stat(join(folder, "pack.toml")).catch(() => {
      throw notAPack(path);
    });
    const content = await readPackwiz({ names: [], read }, "", side);
    const { hashes } = await digest(read("pack.toml"), ["sha512"]);
    return finish(content, hashes.sha512!, async () => undefined);
  }
  const archive = await ZipFile.open(path);
  try {
    const names = [...archive.entries.keys()];
    const contents: Contents = {
      names,
      read(name) {
        const entry = archive.entries.get(name);
        if (!entry) throw badPack(`The pack has no file ${name}, which it names.`);
        return archive.read(entry);
      },
    };
    const top = findPackToml(names);
    if (!isMrpack(names) && top === undefined) throw notAPack(path);
    const content = isMrpack(names) ? await readMrpack(contents, side) : await readPackwiz(contents, top!, side);
    const { hashes } = await digest(createReadStream(path), ["sha512"]);
    return finish(content, hashes.sha512!, archive.close);
  } catch (error) {
    await archive.close();
    throw error;
  }
}

function finish(content: PackContent, sha512: string, close: () => Promise<void>): Pack {
  checkCount(content.files.length);
  const paths = new Set(content.files.map(({ path }) => path));
  // A file that the author ships disabled is the same file for users who enable it.
  const files = content.files.map((file) => {
    const path = file.path.endsWith(disabledEnding) ? file.path.slice(0, -disabledEnding.length) : file.path;
    return path === file.path || paths.has(path) ? file : { ...file, path: checkPath(path), isOff: true };
  });
  checkPaths(files.map(({ path }) => path));
  return { ...content, files, sha512, close };
}

const notAPack = (path: string): Failure =>
  new Failure(`${basename(path)} is not a pack: it has neither modrinth.index.json nor pack.toml.`, {
    advice: "A pack is an .mrpack file, or a folder of packwiz, also as ZIP.",
    code: "notAPack",
  });
