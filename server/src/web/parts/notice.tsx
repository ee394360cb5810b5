// A highlighted message: information (plain), something to do soon (warning), or an error (problem).
import type { ComponentChildren } from "preact";

interface Props {
  kind?: "warning" | "problem";
  title: ComponentChildren;
  children?: ComponentChildren;
}

export const Notice = ({ kind, title, children }: Props) => (
  <div class={kind ? `notice ${kind}` : "notice"}>
    <strong>{title}</strong>
    {children}
  </div>
);
