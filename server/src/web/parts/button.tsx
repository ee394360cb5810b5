// Buttons, and links that look like them.
import type { AnchorHTMLAttributes, ButtonHTMLAttributes } from "preact";

interface Look {
  /** Undefined for the one thing that the page is for. */
  kind?: "quiet" | "danger" | undefined;
  small?: boolean | undefined;
  /** Besides those of every button. */
  class?: string | undefined;
}

const classOf = ({ kind, small, class: others }: Look): string =>
  ["button", kind, small && "small", others].filter(Boolean).join(" ");

type OwnButton = Omit<ButtonHTMLAttributes, keyof Look | "className">;

/** It sends its form, unless its type says otherwise. */
export const Button = ({ kind, small, class: others, type = "submit", ...rest }: Look & OwnButton) => (
  <button class={classOf({ kind, small, class: others })} type={type} {...rest} />
);

type OwnLink = Omit<AnchorHTMLAttributes, keyof Look | "className" | "href" | "role"> & { href: string };

export const ButtonLink = ({ kind, small, class: others, ...rest }: Look & OwnLink) => (
  <a class={classOf({ kind, small, class: others })} {...rest} />
);
