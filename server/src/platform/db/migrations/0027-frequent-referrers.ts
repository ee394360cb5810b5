// How many views a referring host may have had before it was stored, so that frequent hosts take the place of rare ones.
import type { ColumnWords } from "#platform/db/dialect.js";

export const frequentReferrers = ({ bigint }: ColumnWords): string[] => [
  `ALTER TABLE view_referrers ADD COLUMN missed ${bigint} NOT NULL DEFAULT 0 CHECK (missed >= 0)`,
];
