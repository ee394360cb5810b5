import { expect, test } from "vitest";
import { renderToString } from "#lib/jsx-runtime.js";
import { fillHtml, keepHtml } from "./kept-html.js";

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

test("a part with texts of its own is rendered once, and its texts are escaped at each use", () => {
  let times = 0;
  const Link = ({ path, name }: { path: string; name: string }) =>
    fillHtml("link", [path, name], ([href, text]) => {
      times++;
      return (
        <a href={`${href}/x`} title={text}>
          {text} <b>&amp;</b>
        </a>
      );
    });
  const frame = { typeSource: {}, locale: "en" };
  const link = (path: string, name: string) => renderToString(<Link path={path} name={name} />, frame);
  expect(link("/a", "A")).toBe('<a href="/a/x" title="A">A <b>&amp;</b></a>');
  expect(link('/"&', "<i>")).toBe('<a href="/&quot;&amp;/x" title="&lt;i>">&lt;i> <b>&amp;</b></a>');
  // A text that looks like a stand-in stays as it is.
  expect(link("place-of-text-6f1c-1-", "$&")).toBe(
    '<a href="place-of-text-6f1c-1-/x" title="$&amp;">$&amp; <b>&amp;</b></a>',
  );
  expect(times).toBe(1);
});
