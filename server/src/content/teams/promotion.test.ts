// No user can promote themselves (reliability A-5): random sequences of every operation that changes teams, each step
// checked against a model that reads only the rows. No user gains a right that the actor does not have, and there is
// exactly one owner.
import { describe, expect, test } from "vitest";
import { orgPermissions, projectPermissions } from "#content/members/permissions.js";
import type { Choose } from "#test/api/fitting-values.js";
import { chooser } from "#test/api/fuzz-requests.js";
import type { Actor, Reply, TestUser } from "#test/callers/actors.js";
import { addMember, makeOrg, makeProject, type TestOrg, type TestProject } from "#test/worlds/content.js";
import { teamWorld } from "#test/worlds/team-world.js";

const world = await teamWorld();
const { as, users, owners, resources } = world;
const steps = 100;
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
  /** Team ids of the projects in the organization. */
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
  // Sorted in a fixed order, so that a sequence can be repeated.
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

/** The rights of a user in a team's project or organization, computed from the rows. */
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

/** The rights that the user's entry in the team gives them once it is accepted. */
const promisedTo = ({ org }: Game, { entries }: State, user: string, team: string): Set<string> => {
  const entry = entries.find((each) => each.user === user && each.team === team);
  if (!entry) return new Set();
  if (team !== org.teamId) return new Set(entry.project);
  return new Set([...entry.org, ...entry.project.map((name) => `${prefix}${name}`)]);
};

const defaultsAmong = (rights: Iterable<string>): string[] =>
  [...rights].filter((right) => right.startsWith(prefix)).map((right) => right.slice(prefix.length));

interface Done {
  name: string;
  actor: TestUser;
  /** The team whose members are changed. */
  team: string;
}

/**
 * The rights that an operation may give a user in a team: rights of the actor there, or for the actor themselves the
 * rights of their invitation.
 */
function within(
  game: Game,
  { name, actor, team: about }: Done,
  before: State,
  user: string,
  team: string,
): Set<string> {
  const from = (where: string) =>
    name === "accept" && user === actor.id
      ? promisedTo(game, before, user, where)
      : rightsOf(game, before, actor.id, where);
  // Defaults of the organization apply to its projects: granting them needs the rights in the organization.
  const isInherited = about === game.org.teamId && ["accept", "edit"].includes(name) && before.inOrg.has(team);
  return new Set([...from(team), ...(isInherited ? defaultsAmong(from(game.org.teamId)) : [])]);
}

function findBreaches(game: Game, act: Done, before: State, after: State): string[] {
  const breaches: string[] = [];
  for (const team of [game.org.teamId, ...game.projects.map(({ teamId }) => teamId)]) {
    const held = rightsOf(game, before, act.actor.id, team);
    for (const { id } of game.people) {
      const had = rightsOf(game, before, id, team);
      const promised = promisedTo(game, before, id, team);
      const mayTake = within(game, act, before, id, team);
      for (const right of rightsOf(game, after, id, team))
        if (!had.has(right) && !mayTake.has(right)) breaches.push(`${id} gained ${right} in ${team}`);
      // An inviter may only grant rights that they have; an invitation may repeat rights that the user already has.
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

/** Most users have some rights and few have all, so that there is much to gain. */
async function newGame(choose: Choose): Promise<Game> {
  const half = <T>(from: readonly T[]): T[] => from.filter(() => choose(2) === 0);
  const people = await users(5);
  const org = await makeOrg(world, people[0]!);
  const projects = [await makeProject(world, people[0]!, { orgId: org.id }), await makeProject(world, people[1]!)];
  for (const [at, person] of people.entries()) {
    const permissions = () => ({ permissions: half(projectPermissions), accepted: choose(4) > 0 });
    if (at !== 0)
      await addMember(world, org.teamId, person, { ...permissions(), orgPermissions: half(orgPermissions) });
    if (at !== 0 && choose(3) === 0) await addMember(world, projects[0]!.teamId, person, permissions());
    if (at !== 1 && choose(2)) await addMember(world, projects[1]!.teamId, person, permissions());
  }
  return { org, projects, people };
}

type Act = (actor: Actor, team: string, state: State) => Promise<Reply>;

function actsIn({ org, projects, people }: Game, choose: Choose): Record<string, Act> {
  const any = <T>(from: readonly T[]): T => from[choose(from.length)]!;
  const some = <T>(from: readonly T[]): T[] => from.filter(() => choose(4) === 0);
  const entryOf = (team: string, { entries }: State) =>
    any(entries.filter((entry) => entry.team === team)) ?? { id: "nobody", project: [], org: [] };
  return {
    invite: (actor, team) => actor.post(`/api/team/${team}/invite`, { userName: any(people).id }),
    accept: (actor, team) => actor.patch(`/api/team/${team}/invite`),
    leave: (actor, team) => actor.post(`/api/team/${team}/leave`),
    transfer: (actor, team) => actor.patch(`/api/team/${team}/owner`, { userId: any(people).id }),
    override: (actor) =>
      actor.post(`/api/team/${any(projects).teamId}/members`, {
        userId: any(people).id,
        permissions: choose(2) ? [any(projectPermissions)] : [],
      }),
    edit: (actor, team, state) => {
      const { id, project, org: own } = entryOf(team, state);
      const isOrg = team === org.teamId;
      return actor.patch(`/api/team/${team}/member/${id}`, {
        permissions: [...project, any(projectPermissions)],
        organisationPermissions: isOrg ? [...own, ...(choose(3) ? [] : [any(orgPermissions)])] : [],
      });
    },
    narrow: (actor, team, state) => {
      const { id, project } = entryOf(team, state);
      return actor.patch(`/api/team/${team}/member/${id}`, { permissions: some(project) });
    },
    remove: (actor, team, state) => actor.delete(`/api/team/${team}/member/${entryOf(team, state).id}`),
    add: (actor) => actor.post(`/api/organization/${org.id}/projects`, { projectId: any(projects).id }),
    takeOut: (actor) => actor.delete(`/api/organization/${org.id}/project/${any(projects).id}`),
  };
}

describe.each([1, 2, 3, 4, 5, 6])("random teams, seed %i", (seed) => {
  test(`${steps} steps of inviteMember, acceptInvite, leaveTeam, editMember and others promote no user`, async () => {
    const choose = chooser(seed);
    const game = await newGame(choose);
    const acts = actsIn(game, choose);
    const teams = [game.org, ...game.projects].map(({ teamId }) => teamId);
    let state = await readState(game);
    for (let step = 0; step < steps; step++) {
      const name = Object.keys(acts)[choose(Object.keys(acts).length)]!;
      const team = teams[choose(teams.length)]!;
      const actor = game.people[choose(game.people.length)]!;
      const reply = await acts[name]!(as.user(actor), team, state);
      expect([200, 403, 404, 409], reply.text).toContain(reply.status);
      const after = await readState(game);
      if (reply.status === 200) done.add(name);
      else expect(after, `${name} was refused and changed something`).toEqual(state);
      expect(findBreaches(game, { name, actor, team }, state, after), `step ${step}: ${name}`).toEqual([]);
      await expectOneOwner(game, after);
      state = after;
    }
    for (const name of Object.keys(acts)) known.add(name);
  });
});

test("every kind of step was allowed at least once, so the sequences test something", () => {
  expect(known.size).toBe(10);
  expect([...known].filter((act) => !done.has(act))).toEqual([]);
});

test("the model detects a promotion", () => {
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
