// `modshelf search rebuild`: rebuilds the search index. Works next to a server, which keeps answering and uses the new
// index.
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
    console.error(`The search index is rebuilt from ${done} project${done === 1 ? "" : "s"}.`);
    return exitCodes.ok;
  });
}
