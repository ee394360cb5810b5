// The thread that renders markdown, one text at a time. It is stopped if a text takes too long.
import { parentPort } from "node:worker_threads";
import { toHtml } from "./to-html.js";

export interface Job {
  text: string;
  cdnUrl: string;
}

export interface Message {
  /** Absent if the text cannot be rendered, and in the message that the thread is ready. */
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

// Code that has run a few times is several times faster. The first text must not spend its budget on that.
for (let round = 0; round < warmUpRounds; round++) toHtml(warmUpText, "https://example.org");
parentPort?.on("message", (job: Job) => tell(render(job)));
tell();
