import { expect, test } from "vitest";
import { makeProject } from "../../../test/content.js";
import { testApp } from "../../../test/harness.js";
import { makeVersion } from "../../../test/versions.js";
import { catchUp } from "../changes/follower.js";
import { publicChangesFollower } from "../public-changes/follower.js";
import { wasPublicProject } from "./gone.js";

const world = await testApp();
const { as, make, resources } = world;

test("a name is known to be that of a deleted project once anybody could have known it, and only then", async () => {
  const owner = await make.user();
  const known = await makeProject(world, owner);
  const secret = await makeProject(world, owner, { visibility: "private" });
  for (const { id } of [known, secret]) await makeVersion(world, owner, id);
  await catchUp(resources, publicChangesFollower);
  expect(await wasPublicProject(resources.db, known.slug), "it is still there").toBe(false);
  for (const { slug } of [known, secret]) expect(await as.user(owner).delete(`/api/project/${slug}`)).toSucceed();
  await catchUp(resources, publicChangesFollower);
  expect(await wasPublicProject(resources.db, known.slug.toUpperCase())).toBe(true);
  expect(await wasPublicProject(resources.db, secret.slug)).toBe(false);
  expect(await wasPublicProject(resources.db, "never-there")).toBe(false);
});
