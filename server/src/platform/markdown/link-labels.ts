// Finds the end of "[label]" as the parser does, but does not read on from a bracket that is known to stay open. The
// parser's own function does so for every bracket before it, which takes most of the time in a text of open brackets.
import type { MarkdownIt } from "markdown-it";

type State = Parameters<MarkdownIt["helpers"]["parseLinkLabel"]>[0];

const left = "[".charCodeAt(0);
const right = "]".charCodeAt(0);

export function rememberOpenBrackets(parser: MarkdownIt): void {
  /** Positions of brackets that nothing closes, for each text that is being parsed. */
  const known = new WeakMap<State, Set<number>>();

  /** The position of the closing bracket; -1 if there is none, or a link inside the label if that is forbidden. */
  function findEnd(state: State, start: number, disableNested = false): number {
    const staysOpen = known.get(state) ?? new Set();
    known.set(state, staysOpen);
    if (staysOpen.has(start)) return -1;
    const open = [start];
    state.pos = start + 1;
    while (state.pos < state.posMax) {
      const at = state.pos;
      const letter = state.src.charCodeAt(at);
      if (letter === right) {
        open.pop();
        if (open.length === 0) return at;
      }
      state.md.inline.skipToken(state);
      if (letter !== left) continue;
      const isLink = state.pos > at + 1;
      if (isLink && disableNested) return -1;
      if (isLink) continue;
      // What stays open inside this label keeps the label open too.
      if (staysOpen.has(at)) break;
      open.push(at);
    }
    for (const at of open) staysOpen.add(at);
    return -1;
  }

  parser.helpers.parseLinkLabel = (state, start, disableNested) => {
    const before = state.pos;
    const end = findEnd(state, start, disableNested);
    state.pos = before;
    return end;
  };
}
