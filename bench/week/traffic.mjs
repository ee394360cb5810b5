// A week of downloads: players come in sessions that follow the hours of the day, and download files of projects by
// popularity. The distributions are parameters; the same seed gives the same week.
import { below, geometric, mixed, seeded, zipf } from "../random.mjs";

export const week = {
  /** Downloads of the whole site in a week. An assumption: ask for another number with --downloads. */
  downloads: 400_000_000,
  /** Files that a player downloads in one session: most update a few, some install a large pack. */
  session: { more: 0.93, most: 250 },
  /** Sessions of a player in a week, on average. */
  sessionsPerPlayer: 2.5,
  /** The choice among projects in the order of their popularity (Zipf). */
  projectExponent: 0.75,
  /** The share of downloads of the newest version; the others are of any version, for older games. */
  newest: 0.55,
  /** The share of downloads that a launcher repeats at once. */
  repeated: 0.03,
  /** How much more traffic the busiest hour has than the average, and a day of the weekend than a working day. */
  busiestHour: 2,
  weekend: 1.3,
};

const [hour, day] = [3_600_000, 86_400_000];

/** The share of each hour of the week, which begins on a Monday. */
export function hourShares() {
  const shares = Array.from({ length: 7 * 24 }, (_, at) => {
    const wave = 1 - (week.busiestHour - 1) * Math.cos((2 * Math.PI * ((at % 24) - 7)) / 24);
    return wave * (at >= 5 * 24 ? week.weekend : 1);
  });
  const sum = shares.reduce((total, share) => total + share, 0);
  return shares.map((share) => share / sum);
}

/**
 * The downloads of an hour in the order of their times: { player, version, project, time }, where version and project are
 * the numbers of the generated registry.
 */
export function downloadsOf(world, { at, count, players, begin, seed }) {
  const random = seeded(mixed(seed, 77, at));
  const rank = rankOf(world.projects);
  const found = [];
  while (found.length < count) {
    const player = below(random, players);
    let time = begin + at * hour + below(random, hour);
    const files = Math.min(1 + geometric(random, week.session.more, week.session.most - 1), count - found.length);
    for (let file = 0; file < files; file++) {
      const project = world.byPopularity[rank(random)];
      const versions = world.counts[project];
      const ordinal = random() < week.newest ? versions - 1 : below(random, versions);
      const download = { player, project, version: world.firsts[project] + ordinal, time };
      found.push(download);
      if (random() < week.repeated) found.push({ ...download, time: time + 1 });
      time = Math.min(time + 200, begin + (at + 1) * hour - 2);
    }
  }
  return found.sort((a, b) => a.time - b.time);
}

const ranks = new Map();
function rankOf(projects) {
  if (!ranks.has(projects)) ranks.set(projects, zipf(projects, week.projectExponent));
  return ranks.get(projects);
}

/** A Monday in the past, at midnight UTC. */
export const mondayBefore = (now) => Math.floor((now / day - 4) / 7) * 7 * day + 4 * day;
