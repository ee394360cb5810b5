// The documentation: its list of pages with the search, and one guide. The guides themselves are in English.
import { guidePath, type Reader, readers } from "#lib/guides.js";
import { useFrame } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { Icon } from "#web/parts/icon.js";
import { Markdown } from "#web/parts/markdown.js";
import { tagOf } from "#words/languages.js";
import { texts } from "#words/texts.js";
import type { Guide } from "./guide.js";
import { type Found, longestQuestion } from "./search.js";

interface HomeProps {
  guides: readonly Guide[];
  /** The words that were searched for. */
  question: string;
  found: readonly Found[];
}

export const GuidesHome = ({ guides, question, found }: HomeProps) => {
  const t = useTexts(texts.site.guides);
  return (
    <div class="stack loose">
      <div class="stack">
        <h1>{t.title}</h1>
        <p class="lead">{t.lead}</p>
        <Find question={question} />
        <LanguageNote />
      </div>
      {question === "" ? <Lists guides={guides} /> : <Results question={question} found={found} />}
    </div>
  );
};

const Find = ({ question }: { question: string }) => {
  const t = useTexts(texts.site.guides);
  return (
    <search aria-label={t.find}>
      <Form method="get" class="guide-find" action="/docs">
        <div class="field">
          <input
            type="search"
            name="q"
            value={question || undefined}
            maxlength={longestQuestion}
            placeholder={t.find}
            aria-label={t.find}
          />
        </div>
        <Button kind="quiet" class="icon-only" aria-label={t.search}>
          <Icon name="search" />
        </Button>
      </Form>
    </search>
  );
};

const LanguageNote = () => {
  const t = useTexts(texts.site.guides);
  return useFrame().locale === "en" ? null : <p class="muted small">{t.language}</p>;
};

const Lists = ({ guides }: { guides: readonly Guide[] }) => {
  const t = useTexts(texts.site.guides);
  const ofPrograms = [
    ["/api/docs", t.api, t.apiText],
    ["/api/docs/openapi.json", t.openapi, t.openapiText],
    ["/settings/pats", t.tokens, t.tokensText],
  ] as const;
  return (
    <>
      {readers.map((reader) => (
        <div key={reader} class="stack">
          <h2>{t.readers[reader]}</h2>
          <ul class="cards" lang="en">
            {ofReader(guides, reader).map(({ name, title, summary }) => (
              <Card key={name} href={guidePath(name)} title={title} text={summary} />
            ))}
          </ul>
        </div>
      ))}
      <div class="stack">
        <h2>{t.programs}</h2>
        <ul class="cards">
          {ofPrograms.map(([href, title, text]) => (
            <Card key={href} href={href} title={title} text={text} />
          ))}
        </ul>
      </div>
    </>
  );
};

const ofReader = (guides: readonly Guide[], reader: Reader): Guide[] =>
  guides.filter((guide) => guide.reader === reader);

const Card = ({ href, title, text }: { href: string; title: string; text: string }) => (
  <li class="card">
    <h3>
      <a href={href}>{title}</a>
    </h3>
    <p>{text}</p>
  </li>
);

const Results = ({ question, found }: Omit<HomeProps, "guides">) => {
  const t = useTexts(texts.site.guides);
  return (
    <div class="stack">
      <h2 class="wraps">{t.found(question)}</h2>
      {found.length === 0 && <p>{t.none}</p>}
      <ul class="stack guide-results" lang="en">
        {found.map(({ guide, section, excerpt }) => (
          <li key={`${guide.name}#${section.id}`}>
            <a href={guidePath(guide.name) + (section.id === "" ? "" : `#${section.id}`)}>
              {section.id === "" ? guide.title : `${guide.title} › ${section.title}`}
            </a>
            <p class="small">
              {excerpt.map(({ text, isMatch }, at) => (isMatch ? <strong key={at}>{text}</strong> : text))}
            </p>
          </li>
        ))}
      </ul>
      <p>
        <a href="/docs">{t.all}</a>
      </p>
    </div>
  );
};

export const GuidePage = ({ guide, guides }: { guide: Guide; guides: readonly Guide[] }) => (
  <div class="guide">
    <article lang="en" class="stack">
      <h1>{guide.title}</h1>
      <Contents guide={guide} />
      <Markdown html={guide.html} />
    </article>
    <AllPages guide={guide} guides={guides} />
  </div>
);

/** With more headings than this, the lower ones are left out. */
const mostHeadings = 14;

const Contents = ({ guide: { sections } }: { guide: Guide }) => {
  const t = useTexts(texts.site.guides);
  const { locale } = useFrame();
  const all = sections.filter(({ level }) => level === 2 || level === 3);
  const shown = all.length > mostHeadings ? all.filter(({ level }) => level === 2) : all;
  if (shown.length < 2) return null;
  return (
    <nav class="card guide-contents" aria-label={t.contents} lang={tagOf(locale)}>
      <strong>{t.contents}</strong>
      <ul lang="en">
        {shown.map(({ id, level, title }) => (
          <li key={id} class={level === 3 ? "lower" : undefined}>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
};

const AllPages = ({ guide, guides }: { guide: Guide; guides: readonly Guide[] }) => {
  const t = useTexts(texts.site.guides);
  return (
    <div class="stack guide-side">
      <p>
        <a href="/docs">{t.title}</a>
      </p>
      <Find question="" />
      <LanguageNote />
      <nav class="stack" aria-label={t.all}>
        {readers.map((reader) => (
          <div key={reader}>
            <strong>{t.readers[reader]}</strong>
            <ul lang="en">
              {ofReader(guides, reader).map(({ name, title }) => (
                <li key={name}>
                  <a href={guidePath(name)} aria-current={name === guide.name ? "page" : undefined}>
                    {title}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <div>
          <strong>{t.programs}</strong>
          <ul>
            <li>
              <a href="/api/docs">{t.api}</a>
            </li>
          </ul>
        </div>
      </nav>
    </div>
  );
};
