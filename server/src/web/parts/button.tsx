// Buttons, and links that look like them.
import type { AnchorHTMLAttributes, ButtonHTMLAttributes } from "preact";

interface Look {
  /** Undefined for the main action of the page. */
  kind?: "quiet" | "danger" | undefined;
  small?: boolean | undefined;
  /** Added to the classes that every button has. */
  class?: string | undefined;
}

const classOf = ({ kind, small, class: others }: Look): string =>
  ["button", kind, small && "small", others].filter(Boolean).join(" ");

type OwnButton = Omit<ButtonHTMLAttributes, keyof Look | "className">;

/** It submits its form unless `type` is set. */
export const Button = ({ kind, small, class: others, type = "submit", ...rest }: Look & OwnButton) => (
  <button class={classOf({ kind, small, class: others })} type={type} {...rest} />
);

type OwnLink = Omit<AnchorHTMLAttributes, keyof Look | "className" | "href" | "role"> & { href: string };

export const ButtonLink = ({ kind, small, class: others, ...rest }: Look & OwnLink) => (
  <a class={classOf({ kind, small, class: others })} {...rest} />
);
