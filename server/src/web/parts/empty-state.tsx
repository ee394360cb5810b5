// A list without anything in it: what would be here, and the one thing to do about it.
import type { ComponentChildren } from "preact";
import { ButtonLink } from "./button.js";

interface Props {
  title: string;
  children?: ComponentChildren;
  action?: { href: string; text: string };
}

export const EmptyState = ({ title, children, action }: Props) => (
  <div class="empty-state">
    <strong>{title}</strong>
    {children}
    {action && <ButtonLink href={action.href}>{action.text}</ButtonLink>}
  </div>
);
