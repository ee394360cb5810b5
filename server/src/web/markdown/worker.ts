// The thread that renders markdown: one text after the other. A text that takes too long takes the thread with it.
import { parentPort } from "node:worker_threads";
import { toHtml } from "./to-html.js";

export interface Job {
  text: string;
  cdnUrl: string;
}

export interface Message {
  /** Absent where the text cannot be rendered, and when the thread says that it is ready. */
  html?: string | undefined;
  /** CPU time of the thread since its start. */
  usedMs: number;
}

const warmUpRounds = 20;
const warmUpText = `# Title

Some *text* with **bold**, \`code\`, [a link](https://example.org) and ![a picture](https://example.org/a.png).

1. one
2. two
   - [x] three

> quote

| a | b |
|---|--:|
| 1 | 2 |

\`\`\`json
{ "a": [1, true] }
\`\`\`

<details><summary>More</summary>

Text &amp; text

</details>
`;

function tell(html?: string): void {
  const used = process.threadCpuUsage();
  parentPort?.postMessage({ html, usedMs: (used.user + used.system) / 1000 } satisfies Message);
}

function render({ text, cdnUrl }: Job): string | undefined {
  try {
    return toHtml(text, cdnUrl);
  } catch {
    return undefined;
  }
}

// Code that has run a few times is several times faster: the first text must not pay for that out of its budget.
for (let round = 0; round < warmUpRounds; round++) toHtml(warmUpText, "https://example.org");
parentPort?.on("message", (job: Job) => tell(render(job)));
tell();
