// Texts of the generated registry. They are cut from one long Markdown text whose words are as frequent as in real
// texts, so that writing gigabytes costs little and each text still compresses like a real one.
import { below, mixed, seeded } from "../../random.mjs";
import { createWriter } from "../../search-corpus.mjs";
import { registry } from "../parameters.mjs";

const length = 4_000_000;

export function makeTexts(seed) {
  let made;
  const text = () => {
    made ??= writeAll(seed, writer());
    return made;
  };
  const capital = (word) => word[0].toUpperCase() + word.slice(1);
  let created;
  const writer = () => {
    created ??= createWriter(mixed(seed, 77), registry.vocabulary);
    return created;
  };
  return {
    /** A rare word, because authors choose distinctive names. */
    name: (random) => capital(writer().words[200 + below(random, registry.vocabulary - 200)]),
    word: (rank) => writer().words[rank],
    /** Begins at the start of a line. */
    cut(random, characters) {
      const { all, starts } = text();
      if (characters === 0) return "";
      const from = starts[below(random, starts.length)];
      return all.slice(from, from + characters).trimEnd();
    },
  };
}

function writeAll(seed, writer) {
  const random = seeded(mixed(seed, 78));
  const sentence = () => `${writer.text(4 + below(random, 14))}.`;
  const lines = [];
  for (let size = 0; size < length; ) {
    const form = random();
    const line =
      form < 0.08
        ? `## ${writer.text(3)}`
        : form < 0.45
          ? `- ${sentence()}`
          : form < 0.5
            ? `See [${writer.text(2)}](https://example.com/${writer.word()}) and **${writer.text(2)}**.`
            : Array.from({ length: 1 + below(random, 4) }, sentence).join(" ");
    lines.push(form < 0.45 ? line : `${line}\n`);
    size += line.length + 2;
  }
  const all = lines.join("\n");
  const starts = [];
  // A text may be as long as a description, so none begins at the very end.
  for (let at = 0; at < all.length - registry.description.most - 1; at = all.indexOf("\n", at) + 1) starts.push(at);
  // The engine keeps joined strings as trees; flattened once, cutting costs nothing.
  return { all: Buffer.from(all, "latin1").toString("latin1"), starts };
}
