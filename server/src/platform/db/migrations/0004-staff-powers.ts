// When the user of a session last confirmed their identity with a second factor, and how long their powers as a moderator or
// administrator last. Sessions from before have none: staff are asked to confirm once.
import type { ColumnWords } from "#platform/db/dialect.js";
import { flag } from "./column-parts.js";

export const staffPowers = ({ bigint }: ColumnWords): string[] => [
  `ALTER TABLE sessions ADD COLUMN ${flag("passed_second_factor")} DEFAULT 0`,
  `ALTER TABLE sessions ADD COLUMN date_powers_end ${bigint}`,
];
