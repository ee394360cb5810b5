// The dependency rows of a version: suggests projects and their versions while one is typed, and adds rows in place.

const pauseMs = 150;

interface Suggestion {
  value: string;
  text: string;
}

async function read(path: string): Promise<unknown> {
  const response = await fetch(path).catch(() => undefined);
  return response?.ok ? response.json() : undefined;
}

const searchProjects = async (text: string): Promise<Suggestion[]> => {
  const found = (await read(`/api/search?limit=8&q=${encodeURIComponent(text)}`)) as
    | { hits: { slug: string; name: string }[] }
    | undefined;
  return (found?.hits ?? []).map(({ slug, name }) => ({ value: slug, text: name }));
};

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
  const [projects, versions] = ["projects", "versions"].map((name) =>
    field.querySelector<HTMLDataListElement>(`#dependency-${name}`),
  );
  if (!projects || !versions) return;
  let waiting = 0;
  let asked = "";
  field.addEventListener("input", ({ target }) => {
    const { name, value } = target as HTMLInputElement;
    if (name !== "dependencyProject") return;
    clearTimeout(waiting);
    const text = value.trim();
    if (text.length < 2 || text === asked) return;
    waiting = setTimeout(async () => {
      asked = text;
      const found = await searchProjects(text);
      if (asked === text) fill(projects, found);
    }, pauseMs);
  });
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
    const rows = field.querySelectorAll(".dependency-row");
    const last = rows[rows.length - 1]!;
    const row = last.cloneNode(true) as HTMLElement;
    row.ariaLabel = last.ariaLabel?.replace(/\d+/, String(rows.length + 1)) ?? null;
    for (const input of row.querySelectorAll("input")) {
      input.value = "";
      input.defaultValue = "";
      input.removeAttribute("aria-invalid");
    }
    last.after(row);
    row.querySelector("input")?.focus();
  });
}
