// Turns the JSX of pages into HTML. Pages are only rendered on the server, so an element becomes its text at once: there
// are no virtual nodes, states or updates. The compiler calls `jsx` for every element (package.json maps
// "#jsx/jsx-runtime" to this file, tsconfig.json names it). Texts and attributes are escaped; `rawHtml` is the only way to
// put HTML on a page as it is. Attributes have their names in HTML or SVG: class, maxlength, viewBox.
import type { Attributes, TagName } from "./jsx-attributes.js";

/** Escaped HTML. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** An element that was created before rendering began, such as the content that a route returns. */
class Pending {
  readonly type: string | Component;
  readonly props: Props;

  constructor(type: string | Component, props: Props) {
    this.type = type;
    this.props = props;
  }
}

export type Element = Html | Pending;
/** null, undefined and booleans are not shown. */
export type Children = Element | string | number | boolean | null | undefined | readonly Children[];
type Props = Readonly<Record<string, unknown>>;
// biome-ignore lint/suspicious/noExplicitAny: each component has props of its own, which the compiler checks.
type Component = (props: any) => Children;

let isRendering = false;
let current: unknown;

/** Renders to HTML. `context` is available to all components as `renderContext()`. */
export function renderToString(children: Children, context?: unknown): string {
  // The elements in the arguments of a second call would have the context of the first one.
  if (isRendering) throw new Error("A component cannot call renderToString");
  isRendering = true;
  current = context;
  try {
    return textOf(children);
  } finally {
    isRendering = false;
    current = undefined;
  }
}

export const renderContext = (): unknown => current;

/** Renders a part of a page in another context than the rest. */
export function renderWithin(context: unknown, make: () => Children): Html {
  const outer = current;
  current = context;
  try {
    return new Html(textOf(make()));
  } finally {
    current = outer;
  }
}

/** HTML that is put on the page as it is. The caller must know that it is safe. */
export const rawHtml = (html: string): Html => new Html(html);

/** The same as one string, for parts that are on many pages: otherwise each page has to join its strings again. */
export function flattened(element: Element): Html {
  if (element instanceof Pending) throw new Error("A part of a page was kept outside of a page");
  return new Html(Buffer.from(element.text).toString());
}

/** HTML with places for texts, which is rendered once and filled often. */
export class Template {
  readonly #parts: readonly string[];
  /** The number of the text between each two parts. */
  readonly #order: readonly number[];

  /** `make` gets a stand-in for each text, which it may use several times. */
  constructor(texts: number, make: (places: readonly string[]) => Element) {
    const pieces = flattened(make(Array.from({ length: texts }, (_, at) => `place-of-text-6f1c-${at}-`))).text.split(
      /place-of-text-6f1c-(\d+)-/,
    );
    this.#parts = pieces.filter((_, at) => at % 2 === 0);
    this.#order = pieces.filter((_, at) => at % 2 === 1).map(Number);
  }

  get length(): number {
    return this.#parts.reduce((sum, part) => sum + part.length, 0);
  }

  fill(texts: readonly string[]): Html {
    let html = this.#parts[0]!;
    for (let at = 0; at < this.#order.length; at++) html += escaped(texts[this.#order[at]!]!) + this.#parts[at + 1]!;
    return new Html(html);
  }
}

/** The key, which is the third argument, has no meaning here. */
export function jsx(type: string | Component, props: Props): Element {
  if (!isRendering) return new Pending(type, props);
  if (typeof type === "string") return new Html(elementText(type, props));
  const made = type(props);
  return made instanceof Html ? made : new Html(textOf(made));
}

export { jsx as jsxs };

export const Fragment = ({ children }: { children?: Children }): Children => children;

function textOf(children: Children): string {
  if (typeof children === "string") return escaped(children);
  if (children instanceof Html) return children.text;
  if (children === null || children === undefined || typeof children === "boolean") return "";
  if (typeof children === "number") return String(children);
  if (children instanceof Pending) return textOf(jsx(children.type, children.props));
  if (!Array.isArray(children)) throw new TypeError("A page contains a value that is neither text nor an element");
  let text = "";
  for (const child of children as Children[]) text += textOf(child);
  return text;
}

function elementText(name: string, props: Props): string {
  const tag = tags.get(name) ?? addTag(name);
  let text = tag.start;
  let children: unknown;
  for (const key in props) {
    const value = props[key];
    if (key === "children" || (key === "value" && tag.hasTextAsValue)) children = value;
    else text += attributeText(key, value);
  }
  const content = textOf(children as Children);
  return content === "" && tag.isVoid ? `${text}/>` : `${text}>${content}${tag.end}`;
}

function attributeText(name: string, value: unknown): string {
  if (value === null || value === undefined) return "";
  const attribute = attributes.get(name) ?? addAttribute(name);
  if (typeof value === "string") {
    if (attribute.known) return attribute.known.get(value) ?? addValue(attribute, attribute.known, value);
    return value === "" ? attribute.alone : `${attribute.start}${escaped(value)}"`;
  }
  if (typeof value === "number") return `${attribute.start}${value}"`;
  if (typeof value !== "boolean") throw new TypeError(`The attribute ${name} of a page is neither text nor a number`);
  if (attribute.isSpelledOut) return `${attribute.start}${value}"`;
  return value ? attribute.alone : "";
}

/** Characters that cannot be in the name of an element or attribute. All names come from the code. */
const unsafeName = /[\s\\/='"\0<>]/;

function checkName(name: string): void {
  if (name === "" || unsafeName.test(name)) throw new TypeError(`${JSON.stringify(name)} is not a name in HTML`);
}

const voidTags: ReadonlySet<string> = new Set(
  "area base br col embed hr img input link meta param source track wbr".split(" "),
);

interface Tag {
  start: string;
  end: string;
  isVoid: boolean;
  hasTextAsValue: boolean;
}

const tags = new Map<string, Tag>();

function addTag(name: string): Tag {
  checkName(name);
  const tag = {
    ...{ start: `<${name}`, end: `</${name}>` },
    ...{ isVoid: voidTags.has(name), hasTextAsValue: name === "textarea" },
  };
  tags.set(name, tag);
  return tag;
}

interface Attribute {
  start: string;
  alone: string;
  /** The whole text with each value that it had, if it has few: most of these are on every page. */
  known: Map<string, string> | undefined;
  /** false and true are values: aria-hidden="false". */
  isSpelledOut: boolean;
}

const attributes = new Map<string, Attribute>();

function addAttribute(name: string): Attribute {
  checkName(name);
  const isSpelledOut = /^(?:aria|data)-|^(?:spellcheck|draggable)$/.test(name);
  const alone = ` ${name}`;
  const known = withFewValues.has(name) ? new Map([["", alone]]) : undefined;
  const attribute = { start: ` ${name}="`, alone, known, isSpelledOut };
  attributes.set(name, attribute);
  return attribute;
}

const withFewValues: ReadonlySet<string> = new Set(
  "aria-current aria-hidden class data-label dir fill form lang loading method property rel role scope type".split(" "),
);
/** Larger than the number of values in the code; some are made of data. */
const mostKnown = 500;

function addValue({ start }: Attribute, known: Map<string, string>, value: string): string {
  const text = `${start}${escaped(value)}"`;
  if (known.size < mostKnown) known.set(value, text);
  return text;
}

const special = /["&<]/;

/** The same for texts and attributes, whose values are always in double quotes. */
function escaped(text: string): string {
  if (!special.test(text)) return text;
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

/** The compiler looks for the types of JSX in a namespace of this name. */
export declare namespace JSX {
  type Element = Html | Pending;
  type ElementType = TagName | Component;
  interface ElementChildrenAttribute {
    children: unknown;
  }
  interface IntrinsicAttributes {
    key?: string | number | null | undefined;
  }
  type IntrinsicElements = Record<TagName, Attributes & IntrinsicAttributes & { children?: Children }>;
}
