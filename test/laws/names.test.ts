// Law: the names of files that ARCHITECTURE.md explains mean in every feature what it says, and it explains no others.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { wings } from "./import-graph.js";
import { type SourceFile, serverFiles } from "./source-code.js";

const featureWings = wings.slice(wings.indexOf("accounts"), wings.indexOf("web"));
const features = serverFiles()
  .map((file) => ({ ...file, path: file.path.replace(/^server\/src\//, "") }))
  .filter(({ path }) => featureWings.includes(path.split("/")[0]!));

interface Meaning {
  /** The rules for files of this name. */
  has?: RegExp;
  lacks?: RegExp;
  except?: Record<string, string>;
}

const rows = /\.(?:insertInto|updateTable|deleteFrom)\(/;
const useCase: Meaning = { has: /\bTx\b|\bwrite\(/ };
const noDatabase = /\.execute(?:TakeFirst(?:OrThrow)?)?\(/;

const meanings: Record<string, Meaning> = {
  contract: { has: /\bendpoint\(/, lacks: noDatabase },
  shapes: { has: /from "typebox"/, lacks: noDatabase },
  routes: { has: /\bRoute\[\]/ },
  read: {
    lacks: rows,
    except: {
      "accounts/sessions/read.ts": "notes the last use of a session",
      "accounts/tokens/read.ts": "notes the last use of a token",
    },
  },
  entries: { has: /\bkeepEntries[<(]/, lacks: rows },
  write: useCase,
  create: useCase,
  edit: useCase,
  publish: useCase,
  remove: useCase,
  submit: useCase,
  change: { has: /\bTx\b/ },
  policy: { lacks: noDatabase },
  jobs: { has: /\bResources\b/ },
};

/** `edit-contract.ts` is a contract too. */
const nameOf = (path: string): string => /([a-z0-9]+)\.tsx?$/.exec(path)![1]!;

function isTrue({ path, code }: Pick<SourceFile, "path" | "code">): boolean {
  const meaning = meanings[nameOf(path)];
  if (!meaning || meaning.except?.[path] !== undefined) return true;
  return (meaning.has?.test(code) ?? true) && !(meaning.lacks?.test(code) ?? false);
}

describe("the names of files in features", () => {
  test("mean the same everywhere", () => {
    expect(features.filter((file) => !isTrue(file)).map(({ path }) => path)).toEqual([]);
  });

  test("are those that ARCHITECTURE.md explains", () => {
    const [, table = ""] = /\| File \| Holds \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(
      readFileSync("ARCHITECTURE.md", "utf8"),
    )!;
    const first = table.split("\n").map((line) => line.split("|")[1] ?? "");
    const told = first.flatMap((cell) => [...cell.matchAll(/`([a-z]+)\.ts`/g)].map(([, name]) => name!));
    expect(told.sort()).toEqual(Object.keys(meanings).sort());
  });

  test("say what happens: none of those that said nothing is back", () => {
    const mute =
      /\/(?:saving|editing|details|removal|moving|derived-rows|gone-files|new-files|standing-rows|kept|shelf|gone|asked|hurdles)\.ts$/;
    expect(features.filter(({ path }) => mute.test(path)).map(({ path }) => path)).toEqual([]);
  });

  test("the law knows a read that writes and a contract without endpoints", () => {
    expect(isTrue({ path: "accounts/users/read.ts", code: 'db.updateTable("users")' })).toBe(false);
    expect(isTrue({ path: "content/versions/edit-contract.ts", code: "export const x = 1;" })).toBe(false);
    expect(isTrue({ path: "content/versions/channels.ts", code: "export const x = 1;" })).toBe(true);
  });
});

describe("the names of files in pages", () => {
  const pages = serverFiles().filter(({ path }) => path.startsWith("server/src/web/pages/"));
  const makesRoutes =
    /\b(?:pageRoute|formRoute|memberFormRoute|settingsPageRoute|settingsFormRoute|projectPageRoute|plainProjectPageRoute)\(/;
  /** These make the routes of several pages. */
  const makers = ["project/project-page.tsx", "project-settings/settings-page.tsx"];

  test("end in .route where routes are made, and nowhere else", () => {
    const isRoute = ({ path }: SourceFile) =>
      /\.route\.tsx?$/.test(path) || makers.some((maker) => path.endsWith(`pages/${maker}`));
    const odd = pages.filter((file) => isRoute(file) !== makesRoutes.test(file.code));
    expect(odd.map(({ path }) => path)).toEqual([]);
  });
});
