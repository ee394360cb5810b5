// Finds the end of "[label]" as the parser does, but does not read on from a bracket that is known to stay open. The
// parser's own function does so for every bracket before it, which takes most of the time in a text of open brackets.
import type { MarkdownIt } from "markdown-it";

type State = Parameters<MarkdownIt["helpers"]["parseLinkLabel"]>[0];

/** The brackets of a text that is being parsed. */
interface Brackets {
  lastRight: number;
  /** Positions of brackets that nothing closes. */
  open: Set<number>;
}

const left = "[".charCodeAt(0);
const right = "]".charCodeAt(0);

export function rememberOpenBrackets(parser: MarkdownIt): void {
  const known = new WeakMap<State, Brackets>();

  function bracketsOf(state: State): Brackets {
    const before = known.get(state);
    if (before) return before;
    const brackets = { lastRight: state.src.lastIndexOf("]"), open: new Set<number>() };
    known.set(state, brackets);
    return brackets;
  }

  /** The position of the closing bracket; -1 if there is none, or a link inside the label if that is forbidden. */
  function findEnd(state: State, start: number, disableNested = false): number {
    const { lastRight, open } = bracketsOf(state);
    if (start > lastRight || open.has(start)) return -1;
    const waiting = [start];
    state.pos = start + 1;
    while (state.pos < state.posMax) {
      const at = state.pos;
      const letter = state.src.charCodeAt(at);
      if (letter === right) {
        waiting.pop();
        if (waiting.length === 0) return at;
      }
      state.md.inline.skipToken(state);
      if (letter !== left) continue;
      const isLink = state.pos > at + 1;
      if (isLink && disableNested) return -1;
      if (isLink) continue;
      // The label stays open like this bracket inside it.
      if (open.has(at)) break;
      waiting.push(at);
    }
    for (const at of waiting) open.add(at);
    return -1;
  }

  parser.helpers.parseLinkLabel = (state, start, disableNested) => {
    const before = state.pos;
    const end = findEnd(state, start, disableNested);
    state.pos = before;
    return end;
  };
}
