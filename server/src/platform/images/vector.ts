// SVG pictures of other sites, such as the badges of build services: only what draws is kept. Browsers show the result as
// a picture, where nothing can run or load; this is the second wall, for somebody who opens it in a tab.
import sanitizeHtml from "sanitize-html";

/** A badge has 1 to 4 KB. Larger drawings are slow to show on every visit. */
export const maxVectorBytes = 128 * 1024;

const drawing = [
  ...["svg", "g", "defs", "symbol", "use", "title", "desc", "path", "rect", "circle", "ellipse", "line", "polyline"],
  ...[
    "polygon",
    "text",
    "tspan",
    "textPath",
    "linearGradient",
    "radialGradient",
    "stop",
    "clipPath",
    "mask",
    "pattern",
  ],
  ...["marker", "filter", "feGaussianBlur", "feOffset", "feMerge", "feMergeNode", "feBlend", "feFlood", "feComposite"],
  ...["feColorMatrix", "feDropShadow", "image"],
];

const attributes = [
  ...["xmlns", "xmlns:xlink", "version", "viewBox", "width", "height", "preserveAspectRatio", "id", "role", "style"],
  ...[
    "aria-label",
    "x",
    "y",
    "x1",
    "y1",
    "x2",
    "y2",
    "dx",
    "dy",
    "cx",
    "cy",
    "r",
    "rx",
    "ry",
    "fx",
    "fy",
    "d",
    "points",
  ],
  ...["transform", "gradientTransform", "gradientUnits", "patternUnits", "patternTransform", "clipPathUnits", "offset"],
  ...[
    "maskUnits",
    "maskContentUnits",
    "spreadMethod",
    "textLength",
    "lengthAdjust",
    "pathLength",
    "href",
    "xlink:href",
  ],
  ...["fill", "fill-*", "stroke", "stroke-*", "stop-*", "opacity", "color", "clip-path", "clip-rule", "mask", "filter"],
  ...[
    "font-*",
    "text-*",
    "letter-spacing",
    "word-spacing",
    "dominant-baseline",
    "alignment-baseline",
    "baseline-shift",
  ],
  ...["shape-rendering", "visibility", "display", "overflow", "marker-*", "markerWidth", "markerHeight", "markerUnits"],
  ...[
    "refX",
    "refY",
    "orient",
    "stdDeviation",
    "in",
    "in2",
    "result",
    "mode",
    "operator",
    "values",
    "type",
    "k1",
    "k2",
  ],
  ...["k3", "k4", "flood-color", "flood-opacity", "filterUnits", "primitiveUnits", "color-interpolation-filters"],
];

/** A part of the same drawing, or a picture inside of it. */
const isInside = (url: string): boolean => /^#[\w-]+$|^data:image\/(?:png|jpeg|gif|webp|svg\+xml);base64,/i.test(url);
const isDrawn = (name: string, value: string): boolean =>
  /(?:^|:)href$/.test(name) ? isInside(value) : !/url\((?!["']?#)|@import|\\/i.test(value);

/** Undefined if it is not an SVG that can be shown. */
export function cleanVector(bytes: Uint8Array): Buffer | undefined {
  const text = Buffer.from(bytes).toString("utf8");
  // Entities can make a small file enormous.
  if (/<!ENTITY/i.test(text)) return undefined;
  const clean = sanitizeHtml(text, {
    parser: { xmlMode: true, recognizeCDATA: true },
    allowedTags: drawing,
    allowedAttributes: { "*": attributes },
    // Their values are checked by isDrawn.
    allowedSchemesAppliedToAttributes: [],
    parseStyleAttributes: false,
    disallowedTagsMode: "completelyDiscard",
    transformTags: {
      "*": (tagName, given) => ({
        tagName,
        attribs: Object.fromEntries(Object.entries(given).filter(([name, value]) => isDrawn(name, value))),
      }),
    },
  }).trim();
  return /^<svg\s[^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/.test(clean) ? Buffer.from(clean) : undefined;
}
