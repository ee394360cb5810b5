// The malware scan as a part of queries over versions.
import { type RawBuilder, sql } from "kysely";

/** Whether the version is hidden only until one of its files is scanned. */
export const isWaitingForScan: RawBuilder<boolean> = sql<boolean>`exists (select 1 from version_files as scanned
  join file_scans on file_scans.sha512 = scanned.sha512 and file_scans.holds = 1 and file_scans.state = 'waiting'
    and scanned.date_created >= file_scans.date_created
  where scanned.version_id = versions.id)`;
