// The thread that renders markdown: one text after the other. A text that takes too long takes the thread with it.
import { parentPort } from "node:worker_threads";
import { toHtml } from "./to-html.js";

export interface Job {
  text: string;
  cdnUrl: string;
}

export type Answer = { html: string } | { problem: string };

parentPort?.on("message", ({ text, cdnUrl }: Job) => {
  parentPort?.postMessage(answerTo(text, cdnUrl));
});
parentPort?.postMessage("ready");

function answerTo(text: string, cdnUrl: string): Answer {
  try {
    return { html: toHtml(text, cdnUrl) };
  } catch (error) {
    return { problem: String(error) };
  }
}
