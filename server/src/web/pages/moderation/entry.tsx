// One file inside an archive, for moderators: text with highlighting, or what a class names.
import type { Scan } from "#moderation/quarantine/scan.js";
import type { ReadEntry } from "#platform/archives/read-entry.js";
import type { SafeHtml } from "#platform/markdown/render.js";
import { useTexts } from "#web/context/texts.js";
import { Markdown } from "#web/parts/markdown.js";
import { Notice } from "#web/parts/notice.js";
import { texts } from "#words/texts.js";

/** The language of the highlighting, by extension. Others are shown as plain text. */
const languages: Readonly<Record<string, string>> = {
  ...{
    cfg: "ini",
    css: "css",
    fsh: "glsl",
    glsl: "glsl",
    gradle: "gradle",
    html: "xml",
    java: "java",
    js: "javascript",
  },
  ...{ json: "json", json5: "json", kt: "kotlin", lua: "lua", mcmeta: "json", mjs: "javascript", properties: "ini" },
  ...{ py: "python", sh: "bash", svg: "xml", toml: "toml", ts: "typescript", vsh: "glsl", xml: "xml" },
  ...{ yaml: "yaml", yml: "yaml" },
};

/** The text as a block of code in Markdown: a fence ends only at one that is as long. */
export function toFence(path: string, text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  return `${fence}${languages[extension] ?? ""}\n${text}\n${fence}`;
}

interface Props {
  scan: Scan;
  path: string;
  read: ReadEntry;
  /** The text, highlighted. */
  html: SafeHtml | undefined;
}

export const Entry = ({ scan, path, read, html }: Props) => {
  const t = useTexts(texts.moderation.scan);
  return (
    <>
      <p class="whole-text">
        <a href={`/moderation/scan/${scan.file.id}`} dir="auto">
          {scan.file.name}
        </a>{" "}
        › <code dir="auto">{path}</code>
      </p>
      {read.kind !== "other" && read.isCut && <Notice title={t.entryCut} />}
      {read.kind === "other" && <p class="muted">{t.notText}</p>}
      {html !== undefined && <Markdown html={html} />}
      {read.kind === "class" && (
        <>
          <List title={t.classes} items={read.names} />
          <List title={t.strings} items={read.strings} />
        </>
      )}
    </>
  );
};

const List = ({ title, items }: { title: string; items: readonly string[] }) => {
  const t = useTexts(texts.moderation.scan);
  return (
    <>
      <h2>{title}</h2>
      {items.length === 0 && <p class="muted">{t.noneOfThese}</p>}
      <ul class="plain-list">
        {items.map((item) => (
          <li key={item} class="whole-text">
            <code dir="auto">{item}</code>
          </li>
        ))}
      </ul>
    </>
  );
};
