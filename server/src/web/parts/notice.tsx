// A highlighted message: information (plain), something to do soon (warning), or an error (problem).
import type { Children } from "#lib/jsx-runtime.js";

interface Props {
  kind?: "warning" | "problem";
  title: Children;
  children?: Children;
}

export const Notice = ({ kind, title, children }: Props) => (
  <div class={kind ? `notice ${kind}` : "notice"}>
    <strong>{title}</strong>
    {children}
  </div>
);
