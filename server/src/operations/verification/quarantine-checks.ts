// The mark of quarantine on versions: set exactly where a standing quarantine holds the version or one of its files.
import { sql } from "kysely";
import { isMarkedWrong, settleVersions } from "#content/versions/held-versions.js";
import { type Breach, error } from "#operations/checks/check.js";
import { write } from "#platform/changes/write.js";
import { inList, lockContentsAlone } from "#platform/db/dialect.js";
import { byRepair, check, type RegistryCheck } from "./registry-check.js";

interface WrongMark extends Breach {
  versionId: string;
}

export const quarantineChecks: readonly RegistryCheck[] = [
  check<WrongMark>({
    name: "quarantine marks",
    find: async ({ db }) => {
      const rows = await db.selectFrom("versions").select(["id", "date_quarantined"]).where(isMarkedWrong).execute();
      return rows.map(({ id, date_quarantined }) => ({
        ...error(`version ${id}`, date_quarantined === null ? "should be in quarantine" : "is held by no quarantine"),
        versionId: id,
      }));
    },
    mend: {
      what: "set the marks to what the quarantines say",
      act: (subject, found) =>
        write(subject, byRepair, async (tx) => {
          await lockContentsAlone(tx.db);
          const ids = found.map(({ versionId }) => versionId);
          await settleVersions(tx, inList(tx.db, sql.ref("versions.id"), ids));
        }),
    },
  }),
];
