// An entry of the audit log as a sentence with links to the user who acted and to what it was done to.
import { type Children, Fragment } from "#lib/jsx-runtime.js";
import type { AuditEntry } from "#moderation/desk/audit-contract.js";
import type { AuditObjects, NamedObject } from "#moderation/desk/audit-objects.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";

interface Props {
  entry: AuditEntry;
  objects: AuditObjects | undefined;
}

export const AuditSentence = ({ entry, objects }: Props) => {
  const t = useTexts(texts.audit.log);
  const { action, actor, object } = entry;
  const isOwn = actor?.id === object.id && isKnown(action, t.ownSentences);
  const sentence = isOwn ? t.ownSentences[action] : isKnown(action, t.sentences) ? t.sentences[action] : t.other;
  const parts: Record<string, Children> = {
    "{who}": <Who entry={entry} />,
    "{what}": <What entry={entry} found={objects?.what} />,
    "{other}": <Other entry={entry} found={objects?.other} />,
  };
  return (
    <p>
      {sentence.split(/(\{\w+\})/).map((part, at) => (
        <Fragment key={at}>{parts[part] ?? part}</Fragment>
      ))}
      <Facts entry={entry} />
    </p>
  );
};

const isKnown = <T extends object>(action: PropertyKey, sentences: T): action is keyof T =>
  Object.hasOwn(sentences, action);

const userPath = (name: string): string => `/moderation/user/${encodeURIComponent(name)}`;

const Who = ({ entry: { actor } }: Pick<Props, "entry">) => {
  const t = useTexts(texts.audit.log);
  if (!actor) return t.service;
  if (actor.userName === null) return <code>{actor.id}</code>;
  return (
    <a href={userPath(actor.userName)} dir="auto">
      {actor.userName}
    </a>
  );
};

function useLink(): (found: NamedObject) => [href: string, text: string] {
  const t = useTexts(texts.audit.log);
  return (found) => {
    switch (found.kind) {
      case "user":
        return [userPath(found.name), found.name];
      case "project":
        return [projectPath(found.slug), found.name];
      case "version":
        return [`${projectPath(found.slug)}/version/${found.id}`, `${found.name} ${found.number}`];
      case "organization":
        return [`/organization/${found.slug}`, found.name];
      case "collection":
        return [`/collection/${found.id}`, found.name];
      case "case":
        return [`/moderation/report/${found.id}`, `${t.kinds.report} ${found.id}`];
      case "content":
        return [`/moderation/files?hash=${found.hash}`, `${found.hash.slice(0, 16)}…`];
    }
  };
}

const ObjectLink = ({ found }: { found: NamedObject }) => {
  const [href, text] = useLink()(found);
  return (
    <a href={href} dir="auto">
      {text}
    </a>
  );
};

/** An object without a page has the name that the entry has kept, or its kind and id. */
const What = ({ entry, found }: { entry: AuditEntry; found: NamedObject | undefined }) => {
  const t = useTexts(texts.audit.log);
  if (found) return <ObjectLink found={found} />;
  const { kind, id } = entry.object;
  const kinds: Record<string, string> = t.kinds;
  const kept = ["name", "slug", "userName", "number", "job"].map((key) => entry.detail[key]).find(isText);
  return (
    <>
      {!isKnown(entry.action, t.sentences) && (
        <>
          <code>{entry.action}</code>{" "}
        </>
      )}
      {kind !== "setting" && `${t.inSentence(kinds[kind] ?? kind)} `}
      {kept ? <span dir="auto">{kept}</span> : <code>{id.slice(0, 40)}</code>}
    </>
  );
};

const Other = ({ entry, found }: { entry: AuditEntry; found: NamedObject | undefined }) => {
  if (found) return <ObjectLink found={found} />;
  const id = entry.detail.userId ?? entry.detail.projectId;
  return isText(id) ? <code>{id}</code> : "–";
};

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
/** The record has the rest. */
const mostShown = 200;
const short = (text: string): string => (text.length > mostShown ? `${text.slice(0, mostShown)}…` : text);

/** The old and new value, and the reason that was given. */
const Facts = ({ entry: { detail } }: Pick<Props, "entry">) => {
  const t = useTexts(texts.audit.log);
  const desk = useTexts(texts.moderation.desk);
  const { colon, bracketed } = useTexts(texts.parts.common);
  const { titles } = useTexts(texts.moderation.check);
  const words: Record<string, string> = {
    ...{ ...titles, ...desk.visibilities, ...desk.roles },
    ...{ ...desk.outcomes, ...desk.statuses },
  };
  const said = (value: unknown): string =>
    isText(value) ? short(Object.hasOwn(words, value) ? words[value]! : value) : "–";
  const { from, to, reason, role, outcome } = detail;
  const [news] = [role, outcome].filter(isText);
  return (
    <>
      {(isText(from) || isText(to)) && <span class="muted"> {bracketed(t.becomes(said(from), said(to)))}</span>}
      {news && <span class="muted"> {bracketed(said(news))}</span>}
      {isText(reason) && (
        <>
          {colon}
          <span dir="auto">{said(reason)}</span>
        </>
      )}
    </>
  );
};
