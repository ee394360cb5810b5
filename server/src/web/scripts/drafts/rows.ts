// Rows of fields, of which a form can have any number: the dependencies of a version.

const selector = ".dependency-row";

/** Adds an empty row after the last one. */
export function addRow(form: ParentNode): HTMLElement | undefined {
  const rows = form.querySelectorAll(selector);
  const last = rows[rows.length - 1];
  if (!last) return undefined;
  const row = last.cloneNode(true) as HTMLElement;
  row.ariaLabel = last.ariaLabel?.replace(/\d+/, String(rows.length + 1)) ?? null;
  // A field that takes suggestions gets its own.
  for (const added of row.querySelectorAll(".suggestions, [role=status]")) added.remove();
  for (const input of row.querySelectorAll("input")) {
    input.value = "";
    input.defaultValue = "";
    input.removeAttribute("aria-invalid");
  }
  last.after(row);
  return row;
}

/** Adds the rows that these values need. */
export function growRows(form: ParentNode, fields: Record<string, string[]>): void {
  const rows = form.querySelectorAll(selector);
  const inputs = rows[0]?.querySelectorAll("input") ?? [];
  const most = Math.max(0, ...[...inputs].map(({ name }) => fields[name]?.length ?? 0));
  for (let count = rows.length; count < most; count++) addRow(form);
}
