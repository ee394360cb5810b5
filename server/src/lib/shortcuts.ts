// Single keys that do something: whether they do at all (software that listens presses keys by chance, WCAG 2.1.4), and
// which does what at the moderation desk.
import type { Json } from "./json.js";
import { fromJson } from "./json.js";

/** With the key of each, until somebody chooses another. */
export const deskDefaults = {
  next: "j",
  previous: "k",
  mark: "x",
  approved: "a",
  draft: "r",
  withheld: "w",
  skip: "s",
  undo: "u",
  help: "?",
} as const;

export type DeskAct = keyof typeof deskDefaults;
export const deskActs = Object.keys(deskDefaults) as DeskAct[];

/** Empty: no key does it. */
export type DeskKeys = Record<DeskAct, string>;

export interface Shortcuts {
  isOn: boolean;
  desk: DeskKeys;
}

export type StoredShortcuts = Json<Partial<Shortcuts>> | null;

export function readShortcuts(stored: StoredShortcuts | undefined): Shortcuts {
  const { isOn = true, desk = {} } = stored ? fromJson(stored) : {};
  return { isOn, desk: { ...deskDefaults, ...desk } };
}

/** It goes to the search field on every page. */
const takenKey = "/";

export type KeyFault = { kind: "notOne" } | { kind: "site" } | { kind: "taken"; by: DeskAct };

/** One letter is one key, whatever else is held. */
export const toKey = (typed: string): string => typed.trim().toLowerCase();

/** What is wrong with which of them; nothing where all can be used together. */
export function findKeyFaults(keys: DeskKeys): Partial<Record<DeskAct, KeyFault>> {
  const faults: Partial<Record<DeskAct, KeyFault>> = {};
  for (const [at, act] of deskActs.entries()) {
    const key = keys[act];
    const by = key === "" ? undefined : deskActs.slice(0, at).find((other) => keys[other] === key);
    if (!/^(?:|[^\s\p{C}])$/u.test(key)) faults[act] = { kind: "notOne" };
    else if (key === takenKey) faults[act] = { kind: "site" };
    else if (by) faults[act] = { kind: "taken", by };
  }
  return faults;
}
