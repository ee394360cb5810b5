// The contents of packs: a summary with the version, its files, and the dependencies that follow from them.
import type { ColumnWords } from "#platform/db/dialect.js";
import { columnParts, digest, flag, oneOf } from "./column-parts.js";

export const packs = (words: ColumnWords): string[] => {
  const { bytes, bigint } = words;
  const { table, partOf } = columnParts(words);
  const side = (column: string) => `${column} text NOT NULL ${oneOf(column, "required", "optional", "unsupported")}`;
  return [
    "ALTER TABLE versions ADD COLUMN pack text",
    `ALTER TABLE dependencies ADD COLUMN ${flag("from_pack")} DEFAULT 0`,
    table(
      "pack_files",
      partOf("version_id", "versions"),
      "position integer NOT NULL CHECK (position >= 0)",
      "path text NOT NULL CHECK (length(path) BETWEEN 1 AND 512)",
      `size ${bigint} CHECK (size >= 0)`,
      `sha1 ${bytes} ${digest("sha1", 20)}`,
      `sha512 ${bytes} ${digest("sha512", 64)}`,
      side("client"),
      side("server"),
      "host text CHECK (length(host) BETWEEN 1 AND 300)",
      flag("is_inside"),
      "PRIMARY KEY (version_id, position)",
    ),
  ];
};
