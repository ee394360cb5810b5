// The audit log for spreadsheets.
import { toCsv as toTable } from "#lib/csv.js";
import type { AuditEntry } from "./audit-contract.js";

const columns = [
  "id",
  "date",
  "actor",
  "actorId",
  "action",
  "objectKind",
  "objectId",
  "detail",
  "credential",
  "address",
];

export const csvHead = (): string => toTable([columns]);

export const toCsv = (entries: readonly AuditEntry[]): string =>
  toTable(
    entries.map(({ id, dateCreated, actor, action, object, detail, credential, address }) => [
      id,
      dateCreated,
      actor?.userName ?? "",
      actor?.id ?? "",
      action,
      object.kind,
      object.id,
      JSON.stringify(detail),
      credential ?? "",
      address ?? "",
    ]),
  );
