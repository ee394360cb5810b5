// The gallery of a project: thumbnails that link to the pictures; a script shows them in a dialog.
import type { GalleryItem } from "#content/shapes/project.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { ButtonLink } from "#web/parts/button.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Time } from "#web/parts/time.js";
import type { PageView } from "#web/shared/project-view.js";
import { texts } from "#words/texts.js";

export const Gallery = ({ view: { project, permissions } }: { view: PageView }) => {
  const t = useTexts(texts.project.gallery);
  const { tabs } = useTexts(texts.project.page);
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
  const t = useTexts(texts.project.gallery);
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
