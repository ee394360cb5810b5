// Icons of projects and organizations, faces of users: with their size, so that nothing moves when they arrive.
import { defaultPictureName } from "#platform/pictures/read.js";

/** What stands in for a picture that was not uploaded. */
export const drawnPicture = (kind: "project" | "organization" | "collection", id: string): string =>
  `/cdn/data/${kind}/${id}/${defaultPictureName}`;

interface Props {
  /** There always is one: what was not uploaded is drawn. */
  src: string;
  size: 24 | 40 | 64 | 96;
  round?: boolean;
  /** Of the picture that the page is about. */
  isFirst?: boolean;
}

/** Without a text of its own: the name always stands beside it. */
export const Picture = ({ src, size, round = false, isFirst = false }: Props) => (
  <img
    class={round ? "picture round" : "picture"}
    src={src}
    alt=""
    width={size}
    height={size}
    loading={isFirst ? "eager" : "lazy"}
    {...(isFirst && { fetchpriority: "high" })}
  />
);
