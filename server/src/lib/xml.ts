// Text in XML documents. Characters that XML 1.0 cannot represent even when escaped are removed: control characters,
// lone surrogates and two non-characters.

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const unwritable = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** For the content of elements and of attributes. */
export const escapeXml = (text: string): string =>
  text.replace(unwritable, "").replace(/[&<>"']/g, (character) => escapes[character]!);

export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An element whose content is text, escaped here. */
export const textElement = (name: string, text: string, attributes: Attributes = {}): string =>
  `<${name}${toAttributes(attributes)}>${escapeXml(text)}</${name}>`;

/** An element whose content is elements, or nothing. */
export const element = (name: string, attributes: Attributes = {}, children: readonly string[] = []): string => {
  const start = `<${name}${toAttributes(attributes)}`;
  return children.length === 0 ? `${start}/>` : `${start}>${children.join("")}</${name}>`;
};

const toAttributes = (attributes: Attributes): string =>
  Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join("");

export const xmlHead = '<?xml version="1.0" encoding="UTF-8"?>\n';
