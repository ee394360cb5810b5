// The HTML that JSX becomes: what is escaped, how attributes are written, and when components run.
import { describe, expect, test } from "vitest";
import type { Attributes } from "./jsx-attributes.js";
import { type Children, Fragment, jsx, rawHtml, renderContext, renderToString } from "./jsx-runtime.js";

describe("texts", () => {
  test("cannot become elements, attributes or entities", () => {
    const hostile = `</p><script>alert("1")</script>&lt;'`;
    expect(renderToString(<p title={hostile}>{hostile}</p>)).toBe(
      `<p title="&lt;/p>&lt;script>alert(&quot;1&quot;)&lt;/script>&amp;lt;'">` +
        `&lt;/p>&lt;script>alert(&quot;1&quot;)&lt;/script>&amp;lt;'</p>`,
    );
  });

  test("are escaped in lists, fragments, components and outside of any element", () => {
    const Shown = ({ children }: { children: Children }) => children;
    expect(renderToString(["<", [["&"]], <Shown>{"<b>"}</Shown>, <Fragment key="1">{'"'}</Fragment>])).toBe(
      "&lt;&amp;&lt;b>&quot;",
    );
  });

  test("are escaped once, however deep their element is", () => {
    const inner = <b>{"&"}</b>;
    expect(renderToString(<p>{[<i>{inner}</i>]}</p>)).toBe("<p><i><b>&amp;</b></i></p>");
  });

  test("can be numbers; nothing else but elements is shown", () => {
    expect(renderToString(<p>{[0, 1.5, "", null, undefined, true, false]}</p>)).toBe("<p>01.5</p>");
    for (const value of [{ text: "<b>" }, new Date(0), () => "<b>", 1n, Symbol("b")])
      expect(() => renderToString(value as unknown as Children)).toThrow(TypeError);
  });

  test("are HTML only if the code says so", () => {
    expect(renderToString(<p>{rawHtml("<b>&amp;</b>")}</p>)).toBe("<p><b>&amp;</b></p>");
  });
});

describe("attributes", () => {
  test("are left out if they are null, undefined or false, and have no value if they are true or empty", () => {
    expect(renderToString(<input id={undefined} name={null} required={false} disabled value="" />)).toBe(
      "<input disabled value/>",
    );
  });

  test("have true and false as values if they belong to ARIA or are for scripts", () => {
    expect(renderToString(<p aria-hidden={false} data-on spellcheck={false} />)).toBe(
      '<p aria-hidden="false" data-on="true" spellcheck="false"></p>',
    );
  });

  test("keep their order and their names, also in drawings", () => {
    const more: Attributes = { width: 2, class: "b" };
    expect(renderToString(<svg class="a" viewBox="0 0 1 1" {...more} stroke-width={0} />)).toBe(
      '<svg class="b" viewBox="0 0 1 1" width="2" stroke-width="0"></svg>',
    );
  });

  test.each([{ 'x="1" onload': "1" }, { "": "1" }, { "a>": "1" }, { "a\n": "1" }])("refuse a name like %o", (props) => {
    expect(() => renderToString(<p {...props} />)).toThrow(TypeError);
  });

  test("refuse values that are no text, such as functions", () => {
    const props = { title: () => "1" } as object;
    expect(() => renderToString(<p {...props} />)).toThrow(TypeError);
  });
});

describe("elements", () => {
  test("without content have no end tag if HTML has none", () => {
    expect(renderToString([<br />, <img src="a" alt="" />, <p />])).toBe('<br/><img src="a" alt/><p></p>');
  });

  test("for long texts have their value as content", () => {
    expect(renderToString(<textarea name="a" value="</textarea>" />)).toBe(
      '<textarea name="a">&lt;/textarea></textarea>',
    );
  });

  test("refuse a name that is none", () => {
    expect(() => renderToString(jsx("p><b", {}))).toThrow(TypeError);
  });
});

describe("components", () => {
  const Named = () => <b>{renderContext() as string}</b>;

  test("run when they are rendered, with the context of that page", () => {
    const content = <p>{<Named />}</p>;
    expect(renderToString(content, "first")).toBe("<p><b>first</b></p>");
    expect(renderToString(content, "second")).toBe("<p><b>second</b></p>");
    expect(renderContext()).toBeUndefined();
  });

  test("cannot render in another context", () => {
    const Outer = () => renderToString(<Named />, "inner");
    expect(() => renderToString(<Outer />, "outer")).toThrow("cannot call renderToString");
    expect(renderToString(<Named />, "next")).toBe("<b>next</b>");
  });

  test("that fail leave no context behind", () => {
    const Broken = (): Children => {
      throw new Error("broken");
    };
    expect(() => renderToString(<Broken />, "context")).toThrow("broken");
    expect(renderContext()).toBeUndefined();
    expect(renderToString(<Named />, "next")).toBe("<b>next</b>");
  });

  test("may return lists, texts and nothing", () => {
    const Nothing = () => null;
    const List = () => (
      <Fragment key="1">
        <i /> and <Nothing />
      </Fragment>
    );
    expect(renderToString(<List />)).toBe("<i></i> and ");
  });
});
