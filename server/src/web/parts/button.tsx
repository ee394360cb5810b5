// Buttons, and links that look like them.
import type { Attributes } from "#lib/jsx-attributes.js";
import type { Children } from "#lib/jsx-runtime.js";

interface Look {
  /** Undefined for the main action of the page. */
  kind?: "quiet" | "danger" | undefined;
  small?: boolean | undefined;
  /** Added to the classes that every button has. */
  class?: string | undefined;
}

const classOf = ({ kind, small, class: others }: Look): string =>
  `button${kind ? ` ${kind}` : ""}${small ? " small" : ""}${others ? ` ${others}` : ""}`;

type Own = Omit<Attributes, keyof Look> & { children?: Children };

/** It submits its form unless `type` is set. */
export const Button = ({ kind, small, class: others, type = "submit", ...rest }: Look & Own) => (
  <button class={classOf({ kind, small, class: others })} type={type} {...rest} />
);

export const ButtonLink = ({ kind, small, class: others, ...rest }: Look & Own & { href: string }) => (
  <a class={classOf({ kind, small, class: others })} {...rest} />
);
