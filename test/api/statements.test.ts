// Constant cost: the number of statements of a read does not grow with the length of its list, cold or warm.
import { describe, expect, test } from "vitest";
import { catalogOf } from "../../server/src/catalog/catalog.js";
import { makeOrg, makeProject } from "../content.js";
import { testApp } from "../harness.js";
import { countStatements } from "../statement-count.js";
import { makeVersion } from "../versions.js";

const world = await testApp();
const { as, make, resources } = world;
const few = await furnish(2);
const many = await furnish(25);

/** A user with an organization and that many projects of that many versions each. */
async function furnish(size: number) {
  const owner = await make.user();
  const org = await makeOrg(world, owner);
  const projects: string[] = [];
  const hashes: string[] = [];
  const versions: string[] = [];
  const users: string[] = [];
  for (let n = 0; n < size; n++) {
    const project = await makeProject(world, owner, n % 2 === 0 ? { orgId: org.id } : {});
    projects.push(project.id);
    users.push((await make.user()).id);
    for (let v = 0; v < (n === 0 ? size : 1); v++) {
      const version = await makeVersion(world, owner, project.id);
      hashes.push(version.sha512);
      versions.push(version.id);
    }
  }
  return { owner, org, projects, hashes, versions, users };
}

type Content = typeof few;

const reads: Record<string, (content: Content, actor: typeof as.anyone) => Promise<unknown>> = {
  getProject: ({ projects: [id] }, actor) => actor.get(`/api/project/${id}?includeVersions=true`),
  getProjects: ({ projects }, actor) => actor.get(`/api/projects?ids=${projects}&include=version-info`),
  getProjectsVersions: ({ projects }, actor) => actor.get(`/api/projects/versions?ids=${projects}&limit=100`),
  getVersions: ({ projects: [id] }, actor) => actor.get(`/api/project/${id}/version`),
  getVersionsByIds: ({ versions }, actor) => actor.get(`/api/version?ids=${versions}`),
  getVersionsByHashes: ({ hashes }, actor) => actor.post("/api/version-files", { hashes }),
  getUpdatesByHashes: ({ hashes }, actor) => actor.post("/api/version-files/update", { hashes }),
  getUserProjects: ({ owner }, actor) => actor.get(`/api/user/${owner.id}/projects`),
  getOrganizationProjects: ({ org }, actor) => actor.get(`/api/organization/${org.id}/projects`),
  getOrganizations: ({ org }, actor) => actor.get(`/api/organizations?ids=${org.id}`),
  getUsers: ({ users }, actor) => actor.get(`/api/users?ids=${users}`),
};

describe.each(Object.keys(reads))("%s", (name) => {
  test("takes as many statements for 25 things as for 2", async () => {
    for (const actor of [as.anyone, as.user(await make.user())]) {
      // The server's own clockwork asks the database now and then; the least of several counts is the request's own.
      const least = async (work: () => Promise<number>) => {
        const counts: number[] = [];
        while (counts.length < 6) counts.push(await work());
        return Math.min(...counts);
      };
      const cost = async (content: Content) => {
        const ask = () => countStatements(resources.db, () => reads[name]!(content, actor));
        const cold = await least(async () => {
          catalogOf(resources).forget();
          return ask();
        });
        return { cold, warm: await least(ask) };
      };
      // The first use of a session or a taxonomy has costs of its own.
      await cost(few);
      expect(await cost(many)).toEqual(await cost(few));
    }
  });
});

test("a stranger's reads by id or slug cost no statement at all once they are warm", async () => {
  for (const name of [
    "getProject",
    "getProjects",
    "getProjectsVersions",
    "getVersions",
    "getVersionsByHashes",
    "getUpdatesByHashes",
  ]) {
    const ask = () => countStatements(resources.db, () => reads[name]!(many, as.anyone));
    await ask();
    expect(Math.min(await ask(), await ask(), await ask()), name).toBe(0);
  }
});
