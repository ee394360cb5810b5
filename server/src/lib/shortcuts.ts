// Single-key shortcuts: whether they are on (speech input presses keys by accident, WCAG 2.1.4), and the keys of the
// moderation desk.
import { fromJson, type Json } from "./json.js";

/** The default key of each action. */
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

/** An empty text means that no key does it. */
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

/** This key focuses the search field on every page. */
const takenKey = "/";

export type KeyFault = { kind: "notOne" } | { kind: "site" } | { kind: "taken"; by: DeskAct };

/** Upper and lower case are the same key. */
export const toKey = (typed: string): string => typed.trim().toLowerCase();

/** The faults by action; empty if all keys can be used together. */
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
