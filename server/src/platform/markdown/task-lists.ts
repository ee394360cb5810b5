// "- [x] done" in lists, as drawn boxes: real checkboxes would be form fields without a name.
import type { MarkdownIt } from "markdown-it";

const mark = /^\[([ xX])\]\s+/;

export function taskLists(parser: MarkdownIt): void {
  parser.core.ruler.after("inline", "task-lists", (state) => {
    for (const [index, token] of state.tokens.entries()) {
      const found = token.type === "inline" ? mark.exec(token.content) : null;
      const [paragraph, item] = [state.tokens[index - 1], state.tokens[index - 2]];
      const first = token.children?.[0];
      if (!found || !first || paragraph?.type !== "paragraph_open" || item?.type !== "list_item_open") continue;
      first.content = first.content.replace(mark, "");
      const box = new state.Token("text", "", 0);
      box.content = found[1] === " " ? "☐ " : "☑ ";
      token.children?.unshift(box);
      item.attrJoin("class", "task");
    }
  });
}
