// Call-outs as GitHub writes them: a quote whose first line is "[!NOTE]" or another of these kinds.
import type { MarkdownIt, Token } from "markdown-it";

/** The kinds, with the titles that pages translate (show.ts). */
export const callouts = {
  note: "Note",
  tip: "Tip",
  important: "Important",
  warning: "Warning",
  caution: "Caution",
} as const;

export type CalloutKind = keyof typeof callouts;

const mark = /^\[!(note|tip|important|warning|caution)\][^\S\n]*(?:\n|$)/i;

export function calloutQuotes(parser: MarkdownIt): void {
  parser.core.ruler.after("block", "callouts", (state) => {
    const tokens: Token[] = [];
    /** For each open quote, whether it is a call-out. */
    const open: boolean[] = [];
    /** The first token after a paragraph that had nothing but the mark. */
    let after = 0;
    for (const [index, token] of state.tokens.entries()) {
      if (index < after) continue;
      tokens.push(token);
      if (token.type === "blockquote_close" && open.pop()) token.tag = "div";
      if (token.type !== "blockquote_open") continue;
      const text = state.tokens[index + 2];
      const kind = text?.type === "inline" ? mark.exec(text.content)?.[1]?.toLowerCase() : undefined;
      open.push(kind !== undefined);
      if (kind === undefined || !text) continue;
      token.tag = "div";
      token.attrJoin("class", `callout ${kind}`);
      text.content = text.content.replace(mark, "");
      if (text.content === "") after = index + 4;
      const begin = new state.Token("paragraph_open", "p", 1);
      begin.attrJoin("class", "callout-title");
      const title = new state.Token("inline", "", 0);
      title.content = callouts[kind as CalloutKind];
      title.children = [];
      tokens.push(begin, title, new state.Token("paragraph_close", "p", -1));
    }
    state.tokens = tokens;
  });
}
