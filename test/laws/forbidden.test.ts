// Law: some things have one place. The environment is read by the configuration, time and chance come in as arguments,
// statements are never glued together, and only the command line speaks to the terminal.
import { describe, expect, test } from "vitest";
import { findInCode, type SourceFile, serverFiles, splitCode } from "./source-code.js";

interface Law {
  what: string;
  pattern: RegExp;
  /** `code` if strings matter; otherwise `bare`, so that a message may name the thing. */
  within: "code" | "bare";
  /** Files or folders (ending in "/"), with the reason. */
  allowed: Record<string, string>;
  /** Each must be caught: a law that cannot fail is useless. */
  caught: string[];
  /** And these must not be. */
  passed?: string[];
}

const laws: Law[] = [
  {
    what: "the environment",
    pattern: /\bprocess\s*(?:\?\.|\.)\s*env\b|\bprocess\s*\[|\}\s*=\s*process\b|["']node:process["']/,
    within: "code",
    allowed: { "config/config.ts": "reads all settings, for everybody" },
    caught: ["process.env.PORT", 'process["env"]', "const { env } = process;", 'import { env } from "node:process";'],
    passed: ["process.environment", "config.env", "process.on"],
  },
  {
    what: "the clock",
    pattern:
      /\bDate\s*\.\s*now\b|\bnew\s+Date\s*(?:\(\s*\)|[^\s(])|(?<!new\s+)\bDate\s*\(|\bperformance\s*\.\s*now\b|\bhrtime\b|\bTemporal\s*\.\s*Now\b/,
    within: "bare",
    allowed: { "lib/clock.ts": "is the clock", "web/scripts/": "browsers have a clock of their own" },
    caught: ["Date.now()", "new Date()", "new Date;", "String(Date())", "performance.now()", "process.hrtime.bigint()"],
    passed: ["new Date(row.date_created)", "Date.parse(text)", "clock.now()"],
  },
  {
    what: "chance",
    pattern: /\bMath\s*\.\s*random\b|\brandom(?:Bytes|UUID|Int|Fill|FillSync)\b|\bgetRandomValues\b/,
    within: "bare",
    allowed: { "lib/random.ts": "is the source of chance" },
    caught: ["Math.random()", 'import { randomBytes } from "node:crypto"', "crypto.getRandomValues(a)", "randomUUID()"],
    passed: ["random.bytes(16)", "newId(random)"],
  },
  {
    what: "the terminal",
    pattern: /\bconsole\s*\.|\bprocess\s*\.\s*(?:stdout|stderr)\b/,
    within: "bare",
    allowed: { "main.ts": "the command line", "cli/": "the command line" },
    caught: ["console.log(1)", "process.stdout.write(text)"],
    passed: ["log.info(1)"],
  },
  {
    what: "the end of the process",
    pattern: /\bprocess\s*\.\s*(?:exit|abort|exitCode|kill|reallyExit)\b/,
    within: "bare",
    allowed: {
      "main.ts": "the only file that ends the server",
      "cli/worker.ts": "ends a worker process of the server",
      "platform/processes/worker-process.ts": "the inside of child processes, which end themselves past their limits",
    },
    caught: ["process.exit(1)", "process.exitCode = 1", "process.abort()"],
    passed: ["process.once(signal)"],
  },
  {
    what: "SQL that is not a template with parameters",
    pattern:
      /\bsql\s*(?:<[^>]*>)?\s*\.\s*(?:raw|lit)\b|\.\s*(?:query|exec|prepare)\s*\(\s*(?:`[^`]*\$\{|["'][^"']*["']\s*\+)/,
    within: "code",
    allowed: {
      "platform/db/migrate.ts": "runs the migrations' own text",
      "platform/db/open.ts": "LISTEN takes no parameter; the channel is a constant",
      "platform/db/sqlite-connection.ts": "PRAGMA takes no parameter; the values are constants",
      "platform/db/loading.ts":
        "names of tables and columns, which are no parameters; the manifest's schema lets only plain words pass",
      "platform/db/snapshot.ts":
        "names of tables and columns, which are no parameters; they come from platform/db/tables.ts",
    },
    caught: [
      "sql.raw(text)",
      "sql\n  .raw(text)",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a program.
      "db.exec(`drop table ${x}`)",
      'client.query("select " + x)',
      "sql.lit(x)",
    ],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a program.
    passed: ["sql`select ${x}`", 'database.exec("PRAGMA foreign_keys = ON")', "form.exec(text)"],
  },
  {
    what: "code made from text",
    pattern: /\beval\s*\(|\bnew\s+Function\b|["']node:vm["']/,
    within: "code",
    allowed: {},
    caught: ["eval(text)", "new Function(text)", 'import vm from "node:vm"'],
  },
  {
    what: "a form without the part that carries its token",
    pattern: /<form\b/,
    within: "code",
    allowed: { "web/parts/form.tsx": "is that part" },
    caught: ['<form method="post">', "<form\n  action={path}>"],
    passed: ["<Form action={path}>", "<FormCard action={path}>"],
  },
  {
    what: "HTML that is put on a page unescaped",
    pattern: /\brawHtml\s*\(/,
    within: "code",
    allowed: {
      "web/parts/markdown.tsx": "texts of authors that have passed the allow-list",
      "web/parts/json-ld.tsx": "JSON in which no element can end",
      "web/parts/icon.tsx": "drawings of this site",
      "web/docs/reference.tsx": "chapters that were rendered before",
      "web/pages/browse/kept-cards.tsx": "cards that were rendered before",
    },
    caught: ["{rawHtml(text)}"],
    passed: ["{text}"],
  },
  {
    what: "a button or link that makes itself look like one",
    pattern: /<(?:a|button)\b[^>]*?\bclass=(?:"|\{[^}]*?["'`])button\b/,
    within: "code",
    allowed: {},
    caught: ['<a class="button quiet">', '<button class="button">', '<a class={isMain ? "button" : undefined}>'],
    passed: ["<Button small>", '<summary class="button">'],
  },
];

const files = serverFiles().map((file) => ({ ...file, path: file.path.replace("server/src/", "") }));

const isAllowed = ({ allowed }: Law, path: string): boolean =>
  Object.keys(allowed).some((place) => (place.endsWith("/") ? path.startsWith(place) : path === place));

const findUses = (law: Law, file: Pick<SourceFile, "code" | "bare">) => findInCode(file[law.within], law.pattern);

describe.each(laws)("$what", (law) => {
  test("is used only in its place", () => {
    const found = files
      .filter(({ path }) => !isAllowed(law, path))
      .flatMap((file) => findUses(law, file).map(({ line, match }) => `${file.path}:${line} ${match}`));
    expect(found).toEqual([]);
  });

  test("has no place that does not use it", () => {
    const idle = Object.keys(law.allowed).filter(
      (place) => !files.some((file) => file.path.startsWith(place) && findUses(law, file).length > 0),
    );
    expect(idle).toEqual([]);
  });

  test("is recognised in every form", () => {
    expect(law.caught.filter((text) => findUses(law, splitCode(text)).length === 0)).toEqual([]);
    expect((law.passed ?? []).filter((text) => findUses(law, splitCode(text)).length > 0)).toEqual([]);
    const inComments = law.caught.map((text) => splitCode(`/* ${text} */`));
    expect(inComments.filter((file) => findUses(law, file).length > 0)).toEqual([]);
  });
});
