// Reports changes in a folder tree, on every system.
import { readdirSync, watch } from "node:fs";
import { join } from "node:path";

// On other systems Node.js emulates a recursive watch and loses track of files that were replaced.
const isRecursive = ["darwin", "win32"].includes(process.platform);

/** `refresh()` starts the watch and, called again after a change, includes new folders. */
export function watchTree(top, onChange, onError) {
  let watchers = [];
  const close = (some) => {
    for (const watcher of some) watcher.close();
  };
  return {
    refresh() {
      const before = watchers;
      // All are opened again: a folder that was deleted and created again keeps its name but not its watch.
      watchers = (isRecursive ? [top] : listFolders(top)).map((folder) =>
        watch(folder, { recursive: isRecursive }, onChange).on("error", onError),
      );
      close(before);
    },
    close: () => close(watchers),
  };
}

function listFolders(top) {
  const inside = readdirSync(top, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [top, ...inside.flatMap((entry) => listFolders(join(top, entry.name)))];
}
