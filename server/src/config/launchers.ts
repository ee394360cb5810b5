// Parsers of the templates for launchers and for the command line.
import { commandWords, isSafeLink, linkWords, usesOnly } from "#lib/launcher-templates.js";
import { say } from "#words/said.js";
import { InvalidSetting, invalidSetting } from "./setting.js";

export interface LauncherLink {
  /** The name of the launcher. */
  readonly name: string;
  /** Loaders, project types, and game versions or their beginnings; empty: it takes everything. */
  readonly only: readonly string[];
  readonly template: string;
}

const mostLinks = 8;
const longest = 500;
const example = "Comet Launcher [quilt 0.5] <comet://install?file={url}>";

const form = /^([^<>[\]{}]{1,40}?)\s*(?:\[([\w.+\- ]{1,200})\])?\s*<([^<>,]+)>$/u;

export function launcherLinks(text: string): LauncherLink[] {
  const links = text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean)
    .map(launcherLink);
  if (links.length > mostLinks) throw new InvalidSetting(say.problems.settingTooManyLaunchers(mostLinks));
  return links;
}

function launcherLink(part: string): LauncherLink {
  const [, name = "", only = "", template = ""] = form.exec(part) ?? [];
  if (name.trim() === "" || template.length > longest)
    throw invalidSetting((shape) => say.problems.settingLaunchers(example, shape), part);
  if (!usesOnly(template, linkWords))
    throw new InvalidSetting(say.problems.settingTemplateWords(linkWords.map((word) => `{${word}}`).join(" ")));
  if (!isSafeLink(template)) throw new InvalidSetting(say.problems.settingLauncherScheme);
  return { name: name.trim(), only: only.split(" ").filter(Boolean), template };
}

/** Empty: there is no command. */
export function launcherCommand(text: string): string {
  if (text === "") return "";
  if (text.length > longest || /[^ -~]/.test(text))
    throw invalidSetting(
      (shape) => say.problems.settingCommand("modshelf install {project} --version {version}", shape),
      text,
    );
  if (!usesOnly(text, commandWords))
    throw new InvalidSetting(say.problems.settingTemplateWords(commandWords.map((word) => `{${word}}`).join(" ")));
  return text;
}
