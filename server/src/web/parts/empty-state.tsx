// An empty list: a sentence on what it will contain, and one thing to do about it.
import type { Children } from "#lib/jsx-runtime.js";
import { ButtonLink } from "./button.js";

interface Props {
  title: string;
  children?: Children;
  action?: { href: string; text: string };
}

export const EmptyState = ({ title, children, action }: Props) => (
  <div class="empty-state">
    <strong>{title}</strong>
    {children}
    {action && <ButtonLink href={action.href}>{action.text}</ButtonLink>}
  </div>
);
