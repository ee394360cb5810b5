// `modshelf search rebuild`: makes the search index anew. Works beside a server, which goes on answering and follows.
import type { Config } from "#config/config.js";
import { rebuildIndex } from "#discovery/search/rebuild.js";
import { exitCodes } from "./command.js";
import { withInstance } from "./instance.js";

const tellEvery = 1000;

export function rebuildSearchIndex(config: Config): Promise<number> {
  return withInstance(config, async (instance) => {
    let [done, told] = [0, 0];
    await rebuildIndex(instance, {
      anew: true,
      onProgress: (count) => {
        done = count;
        if (done - told < tellEvery) return;
        told = done;
        console.error(`${done} projects …`);
      },
    });
    console.error(`The search index is made anew from ${done} project${done === 1 ? "" : "s"}.`);
    return exitCodes.ok;
  });
}
