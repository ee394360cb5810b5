// Parses XML strictly, for tests of generated documents: text that is not well-formed throws. No DTDs, no comments, no
// CDATA: the service writes none.

export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  /** All text directly inside it. */
  text: string;
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", "#39": "'" };

function decode(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[<\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(text) || !text.isWellFormed())
    throw new Error(`XML cannot hold ${JSON.stringify(text.slice(0, 80))}`);
  return text.replace(/&([^;]*);?/g, (whole, name: string) => {
    const known = entities[name];
    if (known === undefined || !whole.endsWith(";")) throw new Error(`${whole} is no entity`);
    return known;
  });
}

const tag = /<(\/?)([A-Za-z][\w:.-]*)((?:\s+[A-Za-z][\w:.-]*="[^"<]*")*)\s*(\/?)>/y;

export function parseXml(xml: string): XmlElement {
  const head = '<?xml version="1.0" encoding="UTF-8"?>';
  if (!xml.startsWith(head)) throw new Error("The document does not say what it is");
  const root: XmlElement = { name: "", attributes: {}, children: [], text: "" };
  const path = [root];
  for (let at = head.length; at < xml.length; ) {
    const open = path.at(-1)!;
    const next = xml.indexOf("<", at);
    open.text += decode(xml.slice(at, next < 0 ? xml.length : next));
    if (next < 0) break;
    tag.lastIndex = next;
    const found = tag.exec(xml);
    if (!found) throw new Error(`No element begins with ${JSON.stringify(xml.slice(next, next + 80))}`);
    const [whole, isEnd, name, attributes, isEmpty] = found;
    if (isEnd) {
      if (open.name !== name) throw new Error(`</${name}> ends <${open.name}>`);
      path.pop();
    } else {
      const element: XmlElement = { name: name!, attributes: {}, children: [], text: "" };
      for (const [, key, value] of attributes!.matchAll(/([\w:.-]+)="([^"]*)"/g)) {
        if (key! in element.attributes) throw new Error(`${key} stands twice in <${name}>`);
        element.attributes[key!] = decode(value!);
      }
      open.children.push(element);
      if (!isEmpty) path.push(element);
    }
    at = next + whole.length;
  }
  if (path.length > 1) throw new Error(`<${path.at(-1)!.name}> does not end`);
  if (root.children.length !== 1 || root.text.trim() !== "")
    throw new Error("There must be one element, and no text beside it");
  return root.children[0]!;
}

export const allOf = (element: XmlElement, name: string): XmlElement[] =>
  element.children.filter((child) => child.name === name);

/** The text of the only child of this name. */
export function textOf(element: XmlElement, name: string): string {
  const found = allOf(element, name);
  if (found.length !== 1) throw new Error(`<${element.name}> has ${found.length} <${name}>`);
  return found[0]!.text;
}
