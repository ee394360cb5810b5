// The examples of answers in the OpenAPI document: answers of a real server, in a file that `npm run docs` writes.
import { readFileSync } from "node:fs";
import { ownFile } from "#lib/own-files.js";
import type { ExampleAnswer } from "./openapi-answers.js";

export const examplesFile = ownFile("platform/http/answer-examples.json");

/** The URL of the site in the file. */
export const exampleUrl = "https://mods.example.org";

/** By the id of the endpoint, as the site at this URL would answer. */
export const readExamples = (url: string): Record<string, ExampleAnswer> =>
  JSON.parse(readFileSync(examplesFile, "utf8").replaceAll(exampleUrl, () => JSON.stringify(url).slice(1, -1)));
