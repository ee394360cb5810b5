// The pictures in texts of authors, when a page is made: where visitors get a picture of another site, and the sizes of
// all pictures, so that a page does not move while they load.
import { perServer } from "#platform/changes/server-memory.js";
import type { Db, ImageOwner } from "#platform/db/tables.js";
import type { Resources } from "#platform/http/resources.js";
import type { Size } from "#platform/images/measure.js";
import type { Showing } from "#platform/markdown/show.js";
import { remotePictureUrl } from "#platform/remote-pictures/address.js";
import { keyOf, remotePicturesOf } from "#platform/remote-pictures/cache.js";
import { type Looked, SizeTable } from "./size-table.js";

/** About 6000 pictures. */
const tableBytes = 2 * 1024 * 1024;
/** An author can write any name; no picture has such a long one. */
const longestName = 200;

const sizesOf = perServer((resources: Resources) => {
  const cache = resources.memory.createCache<Looked>({ name: "pictureSizes", bytes: tableBytes });
  return new SizeTable({ clock: resources.clock, cache, load: (keys) => loadSizes(resources, keys) });
});

export const picturesInTexts = perServer((resources: Resources): Pick<Showing, "pictureUrl" | "pictureSize"> => {
  const own = `${new URL(resources.config.http.cdnUrl).origin}/cdn/data/`;
  const sizes = sizesOf(resources);
  return {
    pictureUrl: (url) => remotePictureUrl(resources, url),
    pictureSize(url) {
      if (!url.startsWith(own)) return sizes.find(keyOf(url));
      const name = url.slice(own.length).replace("/gallery/", "/");
      return name.length > longestName ? undefined : sizes.find(name);
    },
  };
});

/** A visitor has got this picture of another site. */
export const noteRemotePicture = (resources: Resources, url: string): void => sizesOf(resources).note(keyOf(url));

async function loadSizes(resources: Resources, keys: readonly string[]): Promise<Map<string, Size>> {
  const isOwn = (key: string) => key.includes("/");
  const sizes = await readOwnSizes(resources.db, keys.filter(isOwn));
  for (const key of keys) {
    const size = isOwn(key) ? undefined : await remotePicturesOf(resources).measure(key);
    if (size) sizes.set(key, size);
  }
  return sizes;
}

/** `names`: such as "project/id/file.webp". */
async function readOwnSizes(db: Db, names: readonly string[]): Promise<Map<string, Size>> {
  if (names.length === 0) return new Map();
  const parts = names.map((name) => name.split("/"));
  const rows = await db
    .selectFrom("images")
    .select(["owner_kind", "owner_id", "file_name", "width", "height"])
    .where("owner_kind", "in", [...new Set(parts.map(([kind]) => kind as ImageOwner))])
    .where("owner_id", "in", [...new Set(parts.map(([, id = ""]) => id))])
    .where("file_name", "in", [...new Set(parts.map(([, , file = ""]) => file))])
    .execute();
  return new Map(
    rows.map(({ owner_kind, owner_id, file_name, width, height }) => [
      `${owner_kind}/${owner_id}/${file_name}`,
      { width, height },
    ]),
  );
}
