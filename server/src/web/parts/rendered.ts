// HTML that was rendered from components before, put on a page as it is.
import { Fragment, h, type VNode } from "preact";

/** The renderer writes the texts of a template without escaping them. */
export const Rendered = ({ html }: { html: string }): VNode => h(Fragment, { tpl: [html] } as object);
