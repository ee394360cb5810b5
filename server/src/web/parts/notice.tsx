// A boxed remark: something to know (plain), to do soon (warning), or that went wrong (problem).
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
