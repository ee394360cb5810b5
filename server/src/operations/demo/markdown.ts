// Descriptions and changelogs of demo projects. The long one uses every element that the renderer knows.
import type { DemoProject } from "./content.js";

export function describeProject(project: DemoProject): string {
  const intro = `${project.summary}\n\n## What it does\n\nIt does one thing and stays out of the way. There is nothing to configure before you can play.\n`;
  return project.longDescription
    ? `${intro}${everyElement(project.name)}`
    : `${intro}\n## Questions\n\nAsk in the issue tracker. Please say which version you use.\n`;
}

const everyElement = (name: string): string => `
## Features

- **Light** on your machine: less than 1% of a frame
- *Works* with worlds that exist already
  - nothing is changed until you place the first block
  - taking the mod out again leaves no holes
- ~~Needs a restart~~ since 1.1 it does not

1. Install the loader
2. Drop the file into \`mods\`
3. Start the game

- [x] Survival
- [x] Creative
- [ ] Servers with more than 100 players (being tested)

| Setting | Default | Meaning |
|---|---:|---|
| \`range\` | 12 | blocks around you |
| \`speed\` | 1.0 | factor, 0.1 to 10 |
| \`quiet\` | false | no sounds at all |

> [!TIP]
> Press \`F6\` to see the range that is in effect.

> [!WARNING]
> Make a copy of your world before you change \`speed\`.

> "I did not notice that it was there, and then I took it out and noticed."

\`\`\`json
{ "range": 12, "speed": 1.0, "quiet": false }
\`\`\`

<details><summary>For server owners</summary>

The settings lie in \`config/${name.toLowerCase().replace(/\W+/g, "-")}.json\` and are read again when the file changes.

</details>

## Watch it

https://vimeo.com/1084537

### Thanks

To everybody who reported a bug with a log. See <https://example.org> for the manual, or the [license](https://spdx.org/licenses/MIT.html).

---

Made with patience.
`;

const notes = [
  "Fixes a crash when a world was left while saving.",
  "Adds Polish and Portuguese.",
  "Half the memory for large worlds.",
  "The settings page fits on small screens.",
  "Works with the newest game version.",
];

export const changelogOf = (index: number): string =>
  index === 0 ? "First public version." : `- ${notes[index % notes.length]}\n- ${notes[(index + 2) % notes.length]}\n`;
