// When things happened in the demo registry: it looks as if people had worked on it for a year. All of it follows from the
// names, so that two demos are alike.
import type { Clock } from "#lib/clock.js";
import type { DemoProject } from "./content.js";

const hour = 3_600_000;
const day = 24 * hour;
/** The age of the first project. */
export const beginning = 420 * day;

/** A clock that is set by its owner. */
export class MovableClock implements Clock {
  #time: number;

  constructor(time: number) {
    this.#time = time;
  }

  now = (): number => this.#time;

  moveTo(time: number): void {
    this.#time = Math.round(time);
  }
}

/** Numbers from 0 to 1 that look like chance and are always the same for the same words. */
export function chanceOf(words: string): () => number {
  let state = 2166136261;
  for (const letter of words) state = Math.imul(state ^ letter.codePointAt(0)!, 16777619) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export interface Plan {
  created: number;
  submitted: number;
  decided: number;
  versions: number[];
}

/** Projects further down in the content are newer; projects in the queue were submitted this week. */
export function planOf(project: DemoProject, place: number, now: number): Plan {
  const chance = chanceOf(project.name);
  const isWaiting = project.status !== undefined;
  const age = isWaiting ? (2 + 3 * chance()) * day : (1 - place) * (beginning - 30 * day) + 20 * day;
  const created = now - age;
  const submitted = isWaiting ? now - (2 + 20 * chance()) * hour : created + (2 + 3 * chance()) * hour;
  const decided = isWaiting ? now - hour : submitted + (1 + 9 * chance()) * hour;
  const newest = now - (0.2 + 25 * chance() ** 2) * day;
  const span = Math.max(0, newest - decided - day);
  const versions = project.versions.map((_, n) => {
    if (n === 0) return created + hour;
    const steps = project.versions.length - 1;
    return decided + day + (span * (n - (n < steps ? 0.4 * chance() : 0))) / steps;
  });
  return { created, submitted, decided, versions };
}

/** Few are loved by many. */
export function popularityOf({ name, downloads }: DemoProject): number {
  return downloads ?? Math.round(30 + 3000 * chanceOf(`${name} loved`)() ** 3);
}

/** Moments of downloads, in order: more of them with time, and on Saturdays and Sundays. */
export function listDownloadTimes(name: string, count: number, from: number, until: number): number[] {
  const chance = chanceOf(`${name} fetched`);
  const times: number[] = [];
  while (times.length < count) {
    const time = from + (until - from) * chance() ** 0.7;
    const isWeekend = [0, 6].includes(new Date(time).getUTCDay());
    if (isWeekend || chance() < 0.65) times.push(time);
  }
  return times.map(Math.round).sort((a, b) => a - b);
}
