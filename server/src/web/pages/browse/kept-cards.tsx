// Cards of projects on lists. Most of a card depends only on the list item of the project, the language and the taxonomy, so it
// is kept as HTML with gaps for downloads and times. It is only found by a project that the list may show at that moment, and
// by the digest of its current list item: so no kept card can show something that is hidden or has changed.
import type { PreparedProject } from "#content/records/prepared-project.js";
import { toListItem } from "#discovery/search/read.js";
import { type Html, rawHtml, renderWithin } from "#lib/jsx-runtime.js";
import type { Cache } from "#platform/changes/cache.js";
import { perServer } from "#platform/changes/server-memory.js";
import type { Resources } from "#platform/http/resources.js";
import { type Frame, useFormat, useFrame } from "#web/context/frame.js";
import type { View } from "#web/context/preferences.js";
import { canFill, fillGap, type LiveHtml, markingFormat, newNonce, toLiveHtml } from "#web/frame/live-texts.js";
import { type CardProps, classesOfCards, type Fit, ProjectCard } from "#web/parts/project-card.js";

type CardOptions = Pick<CardProps, "hasCover" | "date">;

interface KeptCard {
  digest: bigint;
  taxonomy: Frame["typeSource"];
  html: LiveHtml;
}

/** Room for about a thousand cards. A share of pages would cost more: a page that is kept saves more than its cards. */
const cardBytes = 3 * 1024 * 1024;
/** An estimate for the objects of a card besides its texts. */
const objectBytes = 800;

export class KeptCards {
  readonly #cache: Cache<KeptCard>;
  readonly #nonce;

  constructor(resources: Resources) {
    this.#cache = resources.memory.createCache<KeptCard>({ name: "cards", bytes: cardBytes });
    this.#nonce = newNonce(resources);
  }

  show(project: PreparedProject, options: CardOptions): Html {
    const format = useFormat();
    const { texts, live } = this.#find(project, options);
    let html = texts[0]!;
    for (let gap = 0; gap < live.length; gap++)
      html += fillGap(live[gap]!, project.downloads, format) + texts[gap + 1]!;
    return rawHtml(html);
  }

  #find(project: PreparedProject, options: CardOptions): LiveHtml {
    const { locale, typeSource: taxonomy } = useFrame();
    const digest = project.itemDigest;
    const key = `${locale}${options.hasCover ? "-cover" : ""} ${options.date} ${project.details.id}`;
    const known = this.#cache.get(key);
    if (known?.digest === digest && known.taxonomy === taxonomy) return known.html;
    const html = this.#make(project, options);
    const characters = html.texts.reduce((sum, text) => sum + text.length, 0);
    this.#cache.set(key, { digest, taxonomy, html }, objectBytes + characters);
    return html;
  }

  #make(project: PreparedProject, options: CardOptions): LiveHtml {
    const marked = { ...toListItem(project), downloads: this.#nonce.downloads };
    const frame = { ...useFrame(), format: markingFormat(useFormat(), this.#nonce) };
    const card = renderWithin(frame, () => <ProjectCard project={marked} fit={undefined} {...options} />);
    return toLiveHtml(card.text, this.#nonce);
  }
}

export const keptCardsOf = perServer((resources: Resources) => new KeptCards(resources));

interface Props {
  kept: KeptCards;
  projects: readonly PreparedProject[];
  view: View;
  date: CardProps["date"];
  /** By the id of the project; undefined if the visitor has chosen no set-up. */
  fits: ReadonlyMap<string, Fit> | undefined;
}

/** As ProjectCards, for projects that are prepared. */
export const ListedCards = ({ kept, projects, view, date, fits }: Props) => {
  const { saves } = useFrame();
  const options = { hasCover: view === "gallery", date };
  const isOwn = fits !== undefined || saves !== undefined;
  return (
    <ul class={classesOfCards[view]}>
      {projects.map((project) =>
        isOwn || !canFill(project.downloads) ? (
          <ProjectCard project={toListItem(project)} fit={fits?.get(project.details.id)} {...options} />
        ) : (
          kept.show(project, options)
        ),
      )}
    </ul>
  );
};
