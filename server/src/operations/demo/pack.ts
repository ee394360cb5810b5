// The file of a modpack in the demo: a packwiz folder that names the files of other projects. The oldest version of each is
// in it, so that its page shows updates, and one file is from elsewhere.
import { createHash } from "node:crypto";
import { makeArchive } from "./archive.js";
import type { Caller } from "./caller.js";
import type { DemoProject } from "./content.js";

interface PublishedVersion {
  primaryFile: { name: string; url: string; sha512_hash: string };
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

const metafile = (name: string, fileName: string, url: string, sha512: string, side = "both"): string =>
  `name = "${name}"\nfilename = "${fileName}"\nside = "${side}"\n\n[download]\nurl = "${url}"\nhash-format = "sha512"\nhash = "${sha512}"\n`;

export async function makePack(caller: Caller, project: DemoProject, version: string): Promise<Buffer> {
  const files: { name: string; text: string; isMetafile: boolean }[] = [];
  for (const [at, slug] of (project.includes ?? []).entries()) {
    const { data } = await caller.read<{ data: PublishedVersion[] }>(`/api/project/${slug}/version`);
    const { name, url, sha512_hash } = data.at(-1)!.primaryFile;
    const side = ["both", "both", "client", "server"][at % 4]!;
    files.push({ name: `mods/${slug}.pw.toml`, text: metafile(slug, name, url, sha512_hash, side), isMetafile: true });
  }
  const elsewhere = createHash("sha512").update("minimap").digest("hex");
  const url = "https://github.com/example/minimap/releases/download/2.1/minimap-2.1.jar";
  files.push({
    name: "mods/minimap.pw.toml",
    text: metafile("minimap", "minimap-2.1.jar", url, elsewhere),
    isMetafile: true,
  });
  for (const name of ["options.txt", "config/farming.toml", "config/sailing.toml", "config/weather.toml"])
    files.push({ name, text: `# ${project.name} ${version}\n`, isMetafile: false });
  const listed = files.map(
    ({ name, text, isMetafile }) =>
      `[[files]]\nfile = "${name}"\nhash = "${sha256(text)}"\n${isMetafile ? "metafile = true\n" : ""}`,
  );
  const index = `hash-format = "sha256"\n\n${listed.join("\n")}`;
  const loaders = project.loaders.map((loader) => `${loader} = "*"\n`).join("");
  const pack = `name = "${project.name}"\nversion = "${version}"\npack-format = "packwiz:1.1.0"\n\n[index]\nfile = "index.toml"\nhash-format = "sha256"\nhash = "${sha256(index)}"\n\n[versions]\n${loaders}`;
  return makeArchive([{ name: "pack.toml", text: pack }, { name: "index.toml", text: index }, ...files]);
}
