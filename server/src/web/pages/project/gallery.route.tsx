// The routes of the page in gallery.tsx.
import type { GalleryItem } from "#content/shapes/project.js";
import type { Described } from "#web/parts/json-ld.js";
import { texts, textsIn } from "#words/texts.js";
import { Gallery } from "./gallery.js";
import { plainProjectPageRoute } from "./project-page.js";

export const galleryRoute = plainProjectPageRoute(
  { id: "getGalleryPage", cacheParameters: [], below: "/gallery", summary: "The pictures of a project" },
  async (view, { locale }) => ({
    title: textsIn(texts.project.page, locale).tabs.gallery,
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
