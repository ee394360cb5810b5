// Icons of projects and organizations, faces of users: with their size, so that nothing moves when they arrive.

interface Props {
  /** Answers of the API always have one: what was not uploaded is drawn. */
  src: string | null;
  size: 24 | 40 | 64 | 96;
  round?: boolean;
  /** Of the picture that the page is about. */
  isFirst?: boolean;
}

/** Without a text of its own: the name always stands beside it. */
export const Picture = ({ src, size, round = false, isFirst = false }: Props) => (
  <img
    class={round ? "picture round" : "picture"}
    src={src ?? undefined}
    alt=""
    width={size}
    height={size}
    loading={isFirst ? "eager" : "lazy"}
    {...(isFirst && { fetchpriority: "high" })}
  />
);
