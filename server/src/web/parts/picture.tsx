// Icons of projects and organizations, and avatars. Width and height are set, so that the page does not move when they
// load.
import { pictureUrl } from "#platform/pictures/read.js";
import { fillHtml } from "#web/context/kept-html.js";

/** The generated picture for things without an uploaded one. */
export const drawnPicture = (kind: "project" | "organization" | "collection", id: string): string =>
  pictureUrl("", kind, id, null);

interface Props {
  /** Always set: things without an uploaded picture have a generated one. */
  src: string;
  size: 24 | 40 | 64 | 96;
  round?: boolean;
  /** The main picture of the page, which is loaded with priority. */
  isFirst?: boolean;
  /** At the top of the page, where waiting for the layout would only delay it. */
  isAtTop?: boolean;
}

/** Its alt text is empty, because the name is always beside it. */
export const Picture = ({ src, size, round = false, isFirst = false, isAtTop = isFirst }: Props) =>
  fillHtml(`picture ${size} ${round} ${isFirst} ${isAtTop}`, [src], ([place]) => (
    <img
      class={round ? "picture round" : "picture"}
      src={place}
      alt=""
      width={size}
      height={size}
      loading={isAtTop ? "eager" : "lazy"}
      fetchpriority={isFirst ? "high" : undefined}
    />
  ));
