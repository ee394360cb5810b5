// Law: `npm run shots` takes a picture of every page of the site, so that none is forgotten.
import { expect, test } from "vitest";
import { pageEndpoints } from "#test/worlds/site-world.js";

type Shot = readonly [name: string, path: string];

const script = new URL("../../scripts/shots/pages.mjs", import.meta.url).href;
const { pages, emptyPages, firstRun }: Record<"pages" | "emptyPages" | "firstRun", Shot[]> = await import(script);

const isPageOf = (path: string, pattern: string): boolean => {
  const [parts, wanted] = [path.split("?")[0]!.split("/"), pattern.split("/")];
  return parts.length === wanted.length && wanted.every((part, at) => part.startsWith(":") || part === parts[at]);
};

/** Its picture is taken on the way through the sign-in. */
const behindSignIn = "getSecondFactorPage";

test("every page is photographed", () => {
  const taken = [...pages, ...firstRun].map(([, path]) => path);
  const missing = pageEndpoints().filter(({ path }) => !taken.some((each) => isPageOf(each, path)));
  expect(missing.map(({ id }) => id)).toEqual([behindSignIn]);
  expect(pages.map(([name]) => name)).toContain("second-factor");
});

test("no picture takes the place of another", () => {
  for (const list of [pages, [...firstRun, ...emptyPages]]) {
    const names = list.map(([name]) => name);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  }
});
