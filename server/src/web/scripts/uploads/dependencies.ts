// The dependency rows of a version: suggests the versions of the project, and adds rows in place. Projects are suggested
// as in the search field (site/search-box.ts).
import { addRow } from "#web/scripts/drafts/rows.js";

interface Suggestion {
  value: string;
  text: string;
}

async function read(path: string): Promise<unknown> {
  const response = await fetch(path).catch(() => undefined);
  return response?.ok ? response.json() : undefined;
}

const listVersions = async (project: string): Promise<Suggestion[]> => {
  const found = (await read(`/api/project/${encodeURIComponent(project)}/version`)) as
    | { data: { versionNumber: string; title: string }[] }
    | undefined;
  return (found?.data ?? []).slice(0, 50).map(({ versionNumber, title }) => ({ value: versionNumber, text: title }));
};

function fill(list: HTMLDataListElement, suggestions: Suggestion[]): void {
  list.replaceChildren(
    ...suggestions.map(({ value, text }) => {
      const option = document.createElement("option");
      option.value = value;
      option.label = text;
      return option;
    }),
  );
}

export function enhanceDependencies(field: HTMLElement): void {
  const versions = field.querySelector<HTMLDataListElement>("#dependency-versions");
  if (!versions) return;
  field.addEventListener("focusin", async ({ target }) => {
    const input = target as HTMLInputElement;
    if (input.name !== "dependencyVersion") return;
    const project = input.closest(".dependency-row")?.querySelector<HTMLInputElement>("[name=dependencyProject]");
    fill(versions, []);
    const found = project?.value ? await listVersions(project.value.trim()) : [];
    if (document.activeElement === input) fill(versions, found);
  });
  field.querySelector("[name=addRow]")?.addEventListener("click", (event) => {
    event.preventDefault();
    addRow(field)?.querySelector("input")?.focus();
  });
}
