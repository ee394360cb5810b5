// Nobody promotes himself (reliability A-5): random sequences of everything that changes teams, each step held against a
// model that knows only the rows. Nobody gains a right that the one who acts does not have, and there is one owner.
import { describe, expect, test } from "vitest";
import type { Reply, TestUser } from "../../../test/actors.js";
import { chooser } from "../../../test/api/fuzz-requests.js";
import { makeOrg, makeProject, type TestOrg, type TestProject } from "../../../test/content.js";
import { teamWorld } from "../../../test/team-world.js";
import { orgPermissions, projectPermissions } from "./permissions.js";

const world = await teamWorld();
const { as, users, owners, resources } = world;
const steps = 250;
const known = new Set<string>();
const done = new Set<string>();

interface Entry {
  id: string;
  user: string;
  team: string;
  isOwner: boolean;
  accepted: boolean;
  project: string[];
  org: string[];
}

interface State {
  entries: Entry[];
  /** Team ids of the projects that are in the organization. */
  inOrg: Set<string>;
}

interface Game {
  org: TestOrg;
  projects: TestProject[];
  people: TestUser[];
}

async function readState({ org, projects, people }: Game): Promise<State> {
  const teamIds = [org.teamId, ...projects.map(({ teamId }) => teamId)];
  const rows = await resources.db.selectFrom("team_members").selectAll().where("team_id", "in", teamIds).execute();
  const inside = await resources.db.selectFrom("projects").select("team_id").where("org_id", "=", org.id).execute();
  // In an order that chance has no part in, so that a sequence can be repeated.
  const place = ({ team, user }: Entry) =>
    teamIds.indexOf(team) * people.length + people.findIndex(({ id }) => id === user);
  const entries = rows.map(
    (row): Entry => ({
      id: row.id,
      user: row.user_id,
      team: row.team_id,
      isOwner: row.is_owner === 1,
      accepted: row.accepted === 1,
      project: JSON.parse(row.permissions),
      org: JSON.parse(row.org_permissions),
    }),
  );
  return {
    entries: entries.sort((one, other) => place(one) - place(other)),
    inOrg: new Set(inside.map((row) => row.team_id)),
  };
}

const prefix = "default ";
const all = ["owner", ...projectPermissions];
const allOfOrg = ["owner", ...orgPermissions, ...projectPermissions.map((name) => `${prefix}${name}`)];

/** What a user may do in a team's project or organization, worked out anew from the rows. */
function rightsOf({ org }: Game, { entries, inOrg }: State, user: string, team: string): Set<string> {
  const find = (id: string) => entries.find((entry) => entry.user === user && entry.team === id && entry.accepted);
  const orgEntry = find(org.teamId);
  if (team === org.teamId) {
    if (orgEntry?.isOwner) return new Set(allOfOrg);
    return new Set(orgEntry && [...orgEntry.org, ...orgEntry.project.map((name) => `${prefix}${name}`)]);
  }
  const own = find(team);
  if (own?.isOwner || (inOrg.has(team) && orgEntry?.isOwner)) return new Set(all);
  return new Set(own?.project ?? (inOrg.has(team) ? orgEntry?.project : []));
}

/** What his entry in the team would give him, accepted or not. */
const promisedTo = ({ org }: Game, { entries }: State, user: string, team: string): Set<string> => {
  const entry = entries.find((each) => each.user === user && each.team === team);
  if (!entry) return new Set();
  if (team !== org.teamId) return new Set(entry.project);
  return new Set([...entry.org, ...entry.project.map((name) => `${prefix}${name}`)]);
};

const defaultsAmong = (rights: Iterable<string>): string[] =>
  [...rights].filter((right) => right.startsWith(prefix)).map((right) => right.slice(prefix.length));

interface Act {
  name: string;
  actor: TestUser;
  /** Whose members it is about. */
  team: string;
}

/** What an act can bring a user in a team: what the actor has there, or for himself what he was promised. */
function within(game: Game, { name, actor, team: about }: Act, before: State, user: string, team: string): Set<string> {
  const from = (where: string) =>
    name === "accept" && user === actor.id
      ? promisedTo(game, before, user, where)
      : rightsOf(game, before, actor.id, where);
  // Defaults of the organization reach its projects: there counts who may give them in the organization.
  const isInherited = about === game.org.teamId && ["accept", "edit"].includes(name) && before.inOrg.has(team);
  return new Set([...from(team), ...(isInherited ? defaultsAmong(from(game.org.teamId)) : [])]);
}

function findBreaches(game: Game, act: Act, before: State, after: State): string[] {
  const breaches: string[] = [];
  for (const team of [game.org.teamId, ...game.projects.map(({ teamId }) => teamId)]) {
    const held = rightsOf(game, before, act.actor.id, team);
    for (const { id } of game.people) {
      const had = rightsOf(game, before, id, team);
      const promised = promisedTo(game, before, id, team);
      const mayTake = within(game, act, before, id, team);
      for (const right of rightsOf(game, after, id, team))
        if (!had.has(right) && !mayTake.has(right)) breaches.push(`${id} gained ${right} in ${team}`);
      // An invitation is filled by those who have what they promise; what one has already may be written down.
      for (const right of promisedTo(game, after, id, team))
        if (!promised.has(right) && !held.has(right) && !had.has(right))
          breaches.push(`${id} was promised ${right} in ${team}`);
    }
  }
  return breaches;
}

async function expectOneOwner({ org, projects }: Game, { inOrg }: State): Promise<void> {
  expect(await owners(org.teamId)).toHaveLength(1);
  for (const { teamId } of projects) expect(await owners(teamId)).toHaveLength(inOrg.has(teamId) ? 0 : 1);
}

describe.each(Array.from({length: 40}, (_, n) => n + 100))("random steps, sequence %i", (seed) => {
  test(`${steps} steps of inviteMember, acceptInvite, leaveTeam, editMember and the rest promote nobody`, async () => {
    const choose = chooser(seed);
    const pick = <T>(from: readonly T[]): T => from[choose(from.length)]!;
    const some = <T>(from: readonly T[]): T[] => from.filter(() => choose(3) === 0);
    const people = await users(5);
    const org = await makeOrg(world, people[0]!);
    const projects = [await makeProject(world, people[0]!, { orgId: org.id }), await makeProject(world, people[1]!)];
    const game: Game = { org, projects, people };
    const teams = [org.teamId, ...projects.map(({ teamId }) => teamId)];

    const acts: Record<string, (actor: TestUser, team: string, state: State) => Promise<Reply>> = {
      invite: (actor, team) => as.user(actor).post(`/api/team/${team}/invite`, { userName: pick(people).id }),
      accept: (actor, team) => as.user(actor).patch(`/api/team/${team}/invite`),
      leave: (actor, team) => as.user(actor).post(`/api/team/${team}/leave`),
      transfer: (actor, team) => as.user(actor).patch(`/api/team/${team}/owner`, { userId: pick(people).id }),
      override: (actor, team) =>
        as.user(actor).post(`/api/team/${team}/members`, {
          userId: pick(people).id,
          permissions: some(projectPermissions),
        }),
      edit: (actor, team, { entries }) => {
        const entry = pick(entries.filter((each) => each.team === team));
        return as.user(actor).patch(`/api/team/${team}/member/${entry?.id ?? "nobody"}`, {
          permissions: [...some(projectPermissions), ...(choose(2) ? (entry?.project ?? []) : [])],
          organisationPermissions: team === org.teamId ? [...some(orgPermissions), ...(entry?.org ?? [])] : [],
        });
      },
      narrow: (actor, team, { entries }) => {
        const entry = pick(entries.filter((each) => each.team === team));
        return as.user(actor).patch(`/api/team/${team}/member/${entry?.id ?? "nobody"}`, {
          permissions: some(entry?.project ?? []),
        });
      },
      remove: (actor, team, { entries }) => {
        const entry = pick(entries.filter((each) => each.team === team));
        return as.user(actor).delete(`/api/team/${team}/member/${entry?.id ?? "nobody"}`);
      },
      add: (actor) => as.user(actor).post(`/api/organization/${org.id}/projects`, { projectId: pick(projects).id }),
      takeOut: (actor) => as.user(actor).delete(`/api/organization/${org.id}/project/${pick(projects).id}`),
    };
    // Coming in and being given something weighs more, or the teams would stand empty.
    const hat = [...Object.keys(acts), "invite", "invite", "accept", "accept", "accept", "edit", "edit", "override"];
    let refused = 0;
    let state = await readState(game);

    for (let step = 0; step < steps; step++) {
      const act = pick(hat);
      const team = pick(teams);
      // Mostly somebody who has a say in it, else anybody: most of what anybody tries is refused.
      const isLikely = ({ accepted, isOwner, team: his }: Entry) =>
        act === "accept" ? !accepted && his === team : isOwner || (his === team && choose(3) === 0);
      const insider = choose(4) > 0 ? pick(state.entries.filter(isLikely)) : undefined;
      const actor = people.find(({ id }) => id === insider?.user) ?? pick(people);
      const reply = await acts[act]!(actor, team, state);
      expect([200, 403, 404, 409], reply.text).toContain(reply.status);
      const after = await readState(game);
      if (reply.status === 200) done.add(act);
      else {
        refused++;
        expect(after, `${act} was refused and changed something`).toEqual(state);
      }
      expect(findBreaches(game, { name: act, actor, team }, state, after), `step ${step}: ${act}`).toEqual([]);
      await expectOneOwner(game, after);
      state = after;
    }
    expect(refused).toBeGreaterThan(20);
    for (const act of Object.keys(acts)) known.add(act);
  });
});

test("the sequences were worth something: each kind of step was allowed at least once", () => {
  expect(known.size).toBe(10);
  expect([...known].filter((act) => !done.has(act))).toEqual([]);
});

test("the model itself sees a promotion", () => {
  const game = { org: { teamId: "org" }, projects: [{ teamId: "own" }], people: [{ id: "ada" }] } as unknown as Game;
  const edit = { name: "edit", actor: game.people[0]!, team: "own" };
  const accept = { ...edit, name: "accept" };
  const entry = (project: string[], more: Partial<Entry> = {}): State => ({
    entries: [{ id: "e", user: "ada", team: "own", isOwner: false, accepted: true, project, org: [], ...more }],
    inOrg: new Set(),
  });
  const plain = entry(["edit_member"]);
  expect(findBreaches(game, edit, plain, entry(["edit_member", "delete_project"]))).not.toEqual([]);
  expect(findBreaches(game, edit, plain, entry([], { isOwner: true }))).not.toEqual([]);
  expect(findBreaches(game, edit, plain, entry([]))).toEqual([]);
  const pending = entry(["edit_details"], { accepted: false });
  expect(findBreaches(game, accept, pending, entry(["edit_details"]))).toEqual([]);
  expect(findBreaches(game, accept, pending, entry(["edit_details", "edit_member"]))).not.toEqual([]);
});
