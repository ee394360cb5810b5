// The operator's colour in place of the site's own: a small style sheet that follows from its address alone.
import Type from "typebox";
import { type Colour, contrast, mixed, parseColour, toHex } from "#lib/colours.js";
import { fail } from "#platform/errors.js";
import { open } from "#platform/http/access.js";
import { sendText } from "#platform/http/answers.js";
import { endpoint, type Route, route } from "#platform/http/endpoint.js";

const white: Colour = [255, 255, 255];
const black: Colour = [0, 0, 0];
/** What things stand on in the dark theme (styles/1-tokens.css): the lightest and the darkest. */
const darkSurface = parseColour("#1a1f26")!;
const darkPaper = parseColour("#12151a")!;
const onDarkAccent = parseColour("#0b0e12")!;
/** As much as the site's own accent has there. */
const darkContrast = 7;

/** "#7a1f6b" → "/look/7a1f6b.css" */
export const accentPath = (accent: string): string => `/look/${accent.slice(1)}.css`;

export function accentStyles(colour: Colour): string {
  const dark = lightened(colour);
  const pairs = {
    "--accent": [colour, dark],
    "--accent-strong": [mixed(colour, black, 0.25), mixed(dark, white, 0.35)],
    "--on-accent": [white, onDarkAccent],
    "--accent-soft": [mixed(colour, white, 0.88), mixed(darkPaper, colour, 0.3)],
  } satisfies Record<string, readonly [light: Colour, dark: Colour]>;
  const lines = Object.entries(pairs).map(
    ([name, [light, night]]) => `${name}:light-dark(${toHex(light)},${toHex(night)})`,
  );
  return `:root{${lines.join(";")}}`;
}

/** As much white as it takes to be read well on dark ground. */
function lightened(colour: Colour): Colour {
  for (let share = 0; share < 1; share += 0.05) {
    const found = mixed(colour, white, share);
    if (contrast(found, darkSurface) >= darkContrast) return found;
  }
  return white;
}

const getAccentStyles = endpoint({
  id: "getAccentStyles",
  method: "GET",
  path: "/look/:file",
  access: open,
  rate: "content",
  tag: "Website",
  summary: "The style sheet of an accent colour",
  params: Type.Object({ file: Type.String({ maxLength: 16 }) }),
  answer: { raw: "text/css", description: "A style sheet" },
  errors: ["fileNotFound"],
  cacheControl: "public, max-age=31536000, immutable",
  internal: true,
});

export const accentRoutes: Route[] = [
  route(getAccentStyles, async ({ params, request, reply }) => {
    const [, digits = ""] = /^([0-9a-f]{6})\.css$/.exec(params.file) ?? [];
    const colour = parseColour(`#${digits}`);
    if (!colour) throw fail.fileNotFound();
    return sendText(request, reply.type("text/css; charset=utf-8"), accentStyles(colour));
  }),
];
