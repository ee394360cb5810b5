// The XML of S3: flat elements with text. This is not a general parser; it scans by indexOf, so hostile answers take
// linear time.

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

export function unescapeXml(text: string): string {
  return text.replace(/&(#x[0-9a-fA-F]{1,6}|#[0-9]{1,7}|[a-z]{2,4});/g, (whole, name: string) => {
    if (!name.startsWith("#")) return entities[name] ?? whole;
    const code = name[1] === "x" ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The raw content of every element of this name, in order. */
export function* listElements(xml: string, name: string): Generator<string> {
  for (let at = 0; ; ) {
    const start = xml.indexOf(`<${name}`, at);
    if (start < 0) return;
    const after = start + name.length + 1;
    const open = xml.indexOf(">", after);
    if (open < 0) return;
    at = open + 1;
    // `<Key` also begins `<KeyCount>`.
    if (!/[\s/>]/.test(xml[after] ?? "")) continue;
    if (xml[open - 1] === "/") {
      yield "";
      continue;
    }
    const close = xml.indexOf(`</${name}>`, at);
    if (close < 0) return;
    yield xml.slice(at, close);
    at = close + name.length + 3;
  }
}

/** The text of the first element of this name. */
export function findText(xml: string, name: string): string | undefined {
  const first = listElements(xml, name).next();
  return first.done ? undefined : unescapeXml(first.value.trim());
}
