// A form that is nothing but a button, or a few of which one is pressed.
import type { ComponentChildren } from "preact";

interface Props {
  action: string;
  /** What goes with it. */
  fields?: Record<string, string>;
  children: ComponentChildren;
}

export const ButtonForm = ({ action, fields = {}, children }: Props) => (
  <form class="actions" method="post" action={action}>
    {Object.entries(fields).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
    {children}
  </form>
);
