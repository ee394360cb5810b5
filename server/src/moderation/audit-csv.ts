// The audit log for spreadsheets.
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

/**
 * RFC 4180. What a spreadsheet would take for a formula begins with a quote: names and reasons are chosen by others than
 * the one who opens the file.
 */
const cell = (value: string): string => {
  const plain = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
};

const line = (values: readonly string[]): string => `${values.map(cell).join(",")}\r\n`;

export const csvHead = (): string => line(columns);

export const toCsv = (entries: readonly AuditEntry[]): string =>
  entries
    .map(({ id, dateCreated, actor, action, object, detail, credential, address }) =>
      line([
        String(id),
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
    )
    .join("");
