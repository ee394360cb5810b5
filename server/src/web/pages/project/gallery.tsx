// A project's pictures: small ones that lead to the full ones; a script shows those in a box above the page.
import type { GalleryItem } from "#content/projects/shapes.js";
import { ButtonLink } from "#web/parts/button.js";
import { EmptyState } from "#web/parts/empty-state.js";
import type { Described } from "#web/parts/json-ld.js";
import { projectPath } from "#web/parts/project-card.js";
import { Time } from "#web/parts/time.js";
import { defineTexts, textsIn, useTexts } from "#web/texts.js";
import { projectPageRoute } from "./project-page.js";
import { projectTexts } from "./project-texts.js";
import type { ProjectView } from "./project-view.js";

const texts = defineTexts({
  en: {
    empty: "There are no pictures yet",
    add: "Add pictures",
    featured: "Featured",
    close: "Close",
    previous: "Previous picture",
    next: "Next picture",
    viewer: "Picture viewer",
  },
  de: {
    empty: "Es gibt noch keine Bilder",
    add: "Bilder hinzufügen",
    featured: "Hervorgehoben",
    close: "Schließen",
    previous: "Voriges Bild",
    next: "Nächstes Bild",
    viewer: "Bildbetrachter",
  },
});

export const galleryRoute = projectPageRoute(
  { id: "getGalleryPage", keptWith: [], below: "/gallery", summary: "The pictures of a project" },
  async (view, { locale }) => ({
    title: textsIn(projectTexts, locale).tabs.gallery,
    scripts: ["lightbox"],
    side: null,
    jsonLd: view.project.gallery.map(toImageObject),
    content: <Gallery view={view} />,
  }),
);

const toImageObject = ({ name, description, image, imageThumbnail, dateCreated }: GalleryItem): Described => ({
  "@type": "ImageObject",
  name,
  ...(description !== "" && { description }),
  contentUrl: image,
  thumbnailUrl: imageThumbnail,
  uploadDate: dateCreated,
});

const Gallery = ({ view: { project, permissions } }: { view: ProjectView }) => {
  const t = useTexts(texts);
  const { tabs } = useTexts(projectTexts);
  const settings = permissions.has("edit_details")
    ? { action: { href: `${projectPath(project.slug)}/settings/gallery`, text: t.add } }
    : {};
  return (
    <>
      <h2 class="visually-hidden">{tabs.gallery}</h2>
      {project.gallery.length === 0 ? (
        <EmptyState title={t.empty} {...settings} />
      ) : (
        <ul class="gallery" data-lightbox={t.viewer} data-close={t.close} data-previous={t.previous} data-next={t.next}>
          {project.gallery.map((item, at) => (
            <Picture key={item.id} item={item} isEarly={at < 4} />
          ))}
        </ul>
      )}
      {project.gallery.length > 0 && permissions.has("edit_details") && (
        <p>
          <ButtonLink kind="quiet" href={settings.action!.href}>
            {t.add}
          </ButtonLink>
        </p>
      )}
    </>
  );
};

const Picture = ({ item, isEarly }: { item: GalleryItem; isEarly: boolean }) => {
  const t = useTexts(texts);
  return (
    <li id={`img-${item.id}`}>
      <a href={item.image}>
        <img
          src={item.imageThumbnail}
          alt={item.name}
          width={420}
          height={236}
          loading={isEarly ? "eager" : "lazy"}
          decoding="async"
        />
      </a>
      <p class="gallery-text">
        <b dir="auto">{item.name}</b>
        {item.featured && <span class="pill">{t.featured}</span>}
        {item.description !== "" && <span dir="auto">{item.description}</span>}
        <span class="muted small">
          <Time at={item.dateCreated} />
        </span>
      </p>
    </li>
  );
};
