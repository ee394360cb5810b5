import { expect, test } from "vitest";
import type { Route } from "./endpoint.js";
import { Router } from "./router.js";

const routeOf = (line: string): Route => {
  const [method, path] = line.split(" ");
  return { endpoint: { id: line, method, path } } as unknown as Route;
};
const routerOf = (...lines: string[]) => new Router(lines.map(routeOf));

const router = routerOf(
  "GET /",
  "GET /projects",
  "GET /project/:ref",
  "PATCH /project/:id",
  "GET /project/new",
  "GET /project/:ref/versions",
  "GET /project/:ref/feed.:format",
  "GET /project/:ref/:tab",
  "POST /project/:ref/join",
  "GET /picture/:ref.png",
  "GET /maven/*",
);
const found = (method: string, url: string) => {
  const match = router.find(method, url);
  return match && [match.route.endpoint.id, match.params];
};

test.each([
  ["GET", "/", "GET /", {}],
  ["GET", "/projects?page=2", "GET /projects", {}],
  ["GET", "/projects#top", "GET /projects", {}],
  ["HEAD", "/projects", "GET /projects", {}],
  ["GET", "/project/new", "GET /project/new", {}],
  ["GET", "/project/newer", "GET /project/:ref", { ref: "newer" }],
  ["PATCH", "/project/a", "PATCH /project/:id", { id: "a" }],
  ["GET", "/project/new/versions", "GET /project/:ref/versions", { ref: "new" }],
  ["GET", "/project/a/feed.atom", "GET /project/:ref/feed.:format", { ref: "a", format: "atom" }],
  ["GET", "/project/a/feed", "GET /project/:ref/:tab", { ref: "a", tab: "feed" }],
  ["GET", "/project/a%2Fb", "GET /project/:ref", { ref: "a/b" }],
  ["GET", "/project/%252F", "GET /project/:ref", { ref: "%2F" }],
  ["GET", "/pr%6Fject/%C3%BC", "GET /project/:ref", { ref: "ü" }],
  ["GET", "/picture/a.b.png", "GET /picture/:ref.png", { ref: "a.b" }],
  ["GET", "/maven/a/b%20c.jar", "GET /maven/*", { path: "a/b c.jar" }],
])("%s %s leads to %s", (method, url, id, params) => {
  expect(found(method, url)).toEqual([id, params]);
});

test.each([
  ["GET", "/Projects"],
  ["GET", "/projects/"],
  ["GET", "//projects"],
  ["GET", "/project%2Fnew"],
  ["GET", "/project/%"],
  ["GET", "/picture/a.jpg"],
  ["GET", "/maven"],
  ["POST", "/project/new"],
  ["OPTIONS", "/projects"],
])("%s %s leads to no endpoint", (method, url) => {
  expect(found(method, url)).toBeUndefined();
});

test("a parameter of more than 512 characters is marked, the rest of a path is not", () => {
  const isMarked = (url: string) => router.find("GET", url)?.hasLongParam;
  expect(isMarked(`/project/${"a".repeat(512)}`)).toBe(false);
  expect(isMarked(`/project/${"a".repeat(513)}`)).toBe(true);
  expect(isMarked(`/maven/${"a".repeat(513)}`)).toBe(false);
});

test("the routes of a path are those of the endpoint that GET would reach, and of no path with a parameter in its place", () => {
  const methods = (url: string) => router.routesOf(url).map(({ endpoint }) => endpoint.method);
  expect(methods("/project/a")).toEqual(["GET", "PATCH"]);
  expect(methods("/project/new")).toEqual(["GET"]);
  expect(methods("/project/a/join")).toEqual(["POST"]);
  expect(methods("/project/")).toEqual([]);
  expect(methods("/nothing")).toEqual([]);
});

test("two endpoints with the same method and path are refused, whatever their parameters are called", () => {
  expect(() => routerOf("GET /project/:ref", "GET /project/:id")).toThrow("GET /project/:id");
});
