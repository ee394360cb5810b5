// The drawing of a project type, loader, category or environment, before its name. All drawings are in one file that browsers cache.
import { assetPath } from "#web/assets/assets.js";
import { useFrame } from "#web/context/frame.js";
import { keepHtml } from "#web/context/kept-html.js";
import { type Mark, markOf, type TagKind } from "#web/icons/marks.js";

export const TagIcon = ({ kind, name }: { kind: TagKind; name: string }) =>
  keepHtml(`icon ${kind} ${name}`, () => <Drawing {...markOf(kind, name, useFrame().tagLookOf(kind, name))} />);

export const Drawing = ({ shape, hue, color }: Mark) => (
  <svg class={hue ? `icon ${hue}` : "icon"} color={color} width="20" height="20" aria-hidden="true">
    <use href={`${assetPath("tags.svg")}#${shape}`} />
  </svg>
);
