// The changes of an archive since another version, and those of one file inside it. Signs, not only colors, say what
// was added and removed.
import { Fragment } from "#lib/jsx-runtime.js";
import type { ComparedFile, compareFile, compareFileEntry, FileChanges } from "#moderation/quarantine/scan-changes.js";
import type { ChangedFile, Comparison } from "#platform/archives/compare.js";
import { comparedBytes, type EntryComparison, mostShown } from "#platform/archives/compare-entry.js";
import { describeArchive } from "#platform/archives/sentences.js";
import { useFormat, useFrame } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { SelectField } from "#web/parts/input-fields.js";
import { Notice } from "#web/parts/notice.js";
import { texts } from "#words/texts.js";

const useChanges = () => useTexts(texts.moderation.scan).changes;

export const ArchiveChanges = ({ changes }: { changes: NonNullable<Awaited<ReturnType<typeof compareFile>>> }) => {
  const t = useChanges();
  const { locale } = useFrame();
  const { file, other, comparison } = changes;
  return (
    <section class="stack" id="changes">
      <h2 dir="auto">{other ? t.since(other.version) : t.title}</h2>
      {changes.others.length === 0 ? (
        <p class="muted">{t.first}</p>
      ) : (
        <ChooseOther action={`/moderation/scan/${file.id}`} changes={changes} />
      )}
      {other && !comparison && <p>{t.missing}</p>}
      {comparison && !comparison.ok && (
        <Notice title={t.refused}>
          <p dir="auto">{describeArchive(comparison).in(locale)}</p>
        </Notice>
      )}
      {other && comparison?.ok && <Changed file={file} other={other} comparison={comparison} />}
    </section>
  );
};

const ChooseOther = ({ action, changes: { others, other } }: { action: string; changes: FileChanges }) => {
  const t = useChanges();
  const { loaderName } = useFrame();
  const nameOf = ({ version, loaders, name, isQuarantined }: ComparedFile) =>
    [version, loaders.map(loaderName).join(", "), name, isQuarantined ? t.quarantined : ""]
      .filter((part) => part !== "")
      .join(" · ");
  return (
    <Form method="get" class="desk-filters wide" action={action}>
      <SelectField
        name="with"
        label={t.other}
        value={other?.id}
        options={others.map((each) => ({ value: each.id, text: nameOf(each) }))}
      />
      <Button kind="quiet">{t.compare}</Button>
    </Form>
  );
};

const kindOf = ({ before, after }: ChangedFile) =>
  before === undefined ? "added" : after === undefined ? "removed" : "changed";
const signs = { added: "+", removed: "−", changed: "±" } as const;

const Changed = ({ file, other, comparison }: { file: ComparedFile; other: ComparedFile; comparison: Comparison }) => {
  const t = useChanges();
  const format = useFormat();
  const { files, added, removed, changed, unchanged, unopened, unverified } = comparison;
  const [newOnes, gone, different, same] = [added, removed, changed, unchanged].map((count) => format.number(count));
  return (
    <>
      <p>{t.counts(newOnes!, gone!, different!, same!)}</p>
      <Paths title={t.unverified} paths={unverified} />
      <Paths title={t.unopened} paths={unopened} />
      {files.length === 0 ? (
        <p>{t.nothing}</p>
      ) : (
        <details open={files.length <= 100}>
          <summary>{t.title}</summary>
          <ul class="plain-list diff-files">
            {files.map((each) => (
              <li key={each.path} class={`whole-text ${kindOf(each)}`}>
                <b class="sign" title={t[kindOf(each)]}>
                  {signs[kindOf(each)]}
                  <span class="visually-hidden">{t[kindOf(each)]}</span>
                </b>{" "}
                <a
                  href={`/moderation/scan/${file.id}/changes?with=${other.id}&path=${encodeURIComponent(each.path)}`}
                  rel="nofollow"
                  dir="auto"
                >
                  {each.path}
                </a>{" "}
                <span class="muted small">
                  {[each.before, each.after]
                    .flatMap((size) => (size === undefined ? [] : format.bytes(size)))
                    .join(" → ")}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {added + removed + changed > files.length && <p class="muted">{t.listCut(format.number(files.length))}</p>}
    </>
  );
};

const Paths = ({ title, paths }: { title: string; paths: readonly string[] }) =>
  paths.length === 0 ? null : (
    <Notice kind="warning" title={title}>
      {paths.map((path) => (
        <p key={path} class="whole-text small" dir="auto">
          {path}
        </p>
      ))}
    </Notice>
  );

interface EntryProps {
  path: string;
  changes: Awaited<ReturnType<typeof compareFileEntry>>;
}

export const EntryChanges = ({ path, changes: { file, other, difference } }: EntryProps) => {
  const t = useChanges();
  const { locale } = useFrame();
  return (
    <>
      <p class="whole-text">
        <a href={`/moderation/scan/${file.id}?with=${other?.id}`} dir="auto">
          {file.name}
        </a>{" "}
        › <code dir="auto">{path}</code> ·{" "}
        <a href={`/moderation/scan/${file.id}/read?path=${encodeURIComponent(path)}`}>{t.wholeFile}</a>
      </p>
      <h2 dir="auto">{t.since(other?.version ?? "")}</h2>
      {difference.ok ? (
        <Difference difference={difference} />
      ) : (
        <Notice title={t.refused}>
          <p dir="auto">{describeArchive(difference).in(locale)}</p>
        </Notice>
      )}
    </>
  );
};

const Difference = ({ difference }: { difference: EntryComparison }) => {
  const t = useChanges();
  const format = useFormat();
  if (difference.kind === "other" || difference.kind === "missing") return <p>{t.notText}</p>;
  return (
    <>
      {difference.isCut && <Notice title={t.cut(format.bytes(comparedBytes))} />}
      {difference.isShortened && <Notice title={t.shortened(format.number(mostShown))} />}
      {difference.kind === "class" ? <ClassChanges difference={difference} /> : <TextChanges difference={difference} />}
    </>
  );
};

const ClassChanges = ({ difference }: { difference: Extract<EntryComparison, { kind: "class" }> }) => {
  const t = useChanges();
  const lists = [
    [t.classes, difference.names],
    [t.strings, difference.strings],
  ] as const;
  const isSame = lists.every(([, { added, removed }]) => added.length + removed.length === 0);
  if (isSame) return <p>{t.sameNames}</p>;
  return (
    <>
      {lists.map(([title, { added, removed }]) =>
        added.length + removed.length === 0 ? null : (
          <Fragment key={title}>
            <h3>{title}</h3>
            <div class="diff">
              {added.map((text) => (
                <Line key={text} kind="added" text={text} />
              ))}
              {removed.map((text) => (
                <Line key={text} kind="removed" text={text} />
              ))}
            </div>
          </Fragment>
        ),
      )}
    </>
  );
};

const TextChanges = ({
  difference: { parts, isRough },
}: {
  difference: Extract<EntryComparison, { kind: "text" }>;
}) => {
  const t = useChanges();
  if (parts.length === 0) return <p>{t.sameText}</p>;
  return (
    <>
      {isRough && <Notice title={t.rough} />}
      {parts.map((part) => (
        <div key={part[0]!.line} class="diff">
          {part.map(({ kind, text, line }) => (
            <Line key={`${kind}${line}`} kind={kind} text={text} line={line} />
          ))}
        </div>
      ))}
    </>
  );
};

const tags = { same: "span", added: "ins", removed: "del" } as const;
const lineSigns = { same: " ", added: "+", removed: "−" } as const;

const Line = ({ kind, text, line }: { kind: keyof typeof tags; text: string; line?: number }) => {
  const Tag = tags[kind];
  return (
    <Tag class="diff-line">
      <span class="diff-number">{line ?? ""}</span>
      <span class="sign">{lineSigns[kind]}</span>
      <code dir="auto">{text}</code>
    </Tag>
  );
};
