// A site with a few projects for tests of its lists: of several types, loaders and game versions.
import type { Actor, Reply } from "#test/callers/actors.js";
import { testApp, uniqueName } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

export async function listWorld() {
  const world = await testApp();
  const author = await world.make.user({ userName: uniqueName("author") });

  const publish = async (name: string, types: string[], loaders: string[], gameVersions: string[]) => {
    const project = await makeProject(world, author, { name, types, summary: `The summary of ${name}` });
    await makeVersion(world, author, project.id, { loaders, gameVersions });
    return project;
  };
  const quilted = await publish("Quilted thing", ["mod"], ["quilt"], ["0.4.8"]);
  const puzzling = await publish("Puzzling thing", ["mod"], ["puzzle_loader"], ["0.4.8", "0.4.7"]);
  await publish("Both thing", ["mod"], ["quilt", "puzzle_loader"], ["0.5.13"]);
  await publish("Shiny thing", ["shader"], ["simply_shaders"], ["0.4.8"]);

  const page = (path: string, options: { actor?: Actor; setup?: string } = {}): Promise<Reply> =>
    (options.actor ?? world.as.anyone).get(path, {
      headers: { accept: "text/html", ...(options.setup && { cookie: `setup=${options.setup}` }) },
    });
  /** The projects on a page, without their last word. */
  const names = ({ text }: Reply): string[] =>
    [...text.matchAll(/<h3><a href="[^"]*" dir="auto">([^<]*) thing<\/a>/g)].map(([, name]) => name!).sort();
  return { world, author, publish, quilted, puzzling, page, names };
}
