import { expect, test } from "vitest";
import { renderToString } from "#lib/jsx-runtime.js";
import { keepHtml } from "./kept-html.js";

let made = 0;
const Part = ({ name }: { name: string }) =>
  keepHtml(name, () => {
    made++;
    return <b title={name}>{`${name} & ${made}`}</b>;
  });
const render = (name: string, frame: { typeSource: object; locale: string }) =>
  renderToString(<Part name={name} />, frame);

test("a part is rendered once for each taxonomy, language and key", () => {
  const [first, second] = [{}, {}];
  for (let times = 0; times < 2; times++) {
    expect(render('a"', { typeSource: first, locale: "en" })).toBe('<b title="a&quot;">a&quot; &amp; 1</b>');
    expect(render("b", { typeSource: first, locale: "en" })).toContain("b &amp; 2");
    expect(render("b", { typeSource: first, locale: "zh" })).toContain("b &amp; 3");
    expect(render("b", { typeSource: second, locale: "en" })).toContain("b &amp; 4");
  }
});

test("made-up names take a bounded space, and do not keep out others", () => {
  const frame = { typeSource: {}, locale: "en" };
  const before = made;
  for (let at = 0; at < 1000; at++) render(`${at} ${"x".repeat(1000)}`, frame);
  expect(made - before).toBe(1000);
  // The first ones are not kept any more, and new ones are.
  render(`0 ${"x".repeat(1000)}`, frame);
  render("new", frame);
  expect(made - before).toBe(1002);
  render("new", frame);
  expect(made - before).toBe(1002);
});
