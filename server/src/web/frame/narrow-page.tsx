// A page with one purpose: a heading, a sentence, and a form or a message.
import type { Children } from "#lib/jsx-runtime.js";
import type { Page } from "./layout.js";

interface Opening {
  title: string;
  lead: string;
  status?: number;
}

export const narrowPage = ({ title, lead, status }: Opening, children?: Children): Page => ({
  title,
  status,
  content: (
    <div class="stack narrow">
      <h1>{title}</h1>
      <p class="lead">{lead}</p>
      {children}
    </div>
  ),
});
