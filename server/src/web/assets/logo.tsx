// The operator's picture in place of our mark, under an address that changes with it.
import Type from "typebox";
import type { Config } from "#config/config.js";
import { fail } from "#platform/errors.js";
import { open } from "#platform/http/access.js";
import { endpoint, type Route, route } from "#platform/http/endpoint.js";

type Logo = NonNullable<Config["logo"]>;

const shownHeight = 28;
const widest = 160;

const fileOf = ({ sha512 }: Logo): string => `${sha512.slice(0, 16)}.webp`;

/** Beside the name of the site, which says the same. */
export const Logo = ({ logo }: { logo: Logo }) => {
  const height = Math.min(shownHeight, (widest * logo.height) / logo.width);
  const width = Math.round((height * logo.width) / logo.height);
  return <img src={`/logo/${fileOf(logo)}`} alt="" width={width} height={Math.round(height)} />;
};

const getLogo = endpoint({
  id: "getLogo",
  method: "GET",
  path: "/logo/:file",
  access: open,
  rate: "content",
  tag: "Website",
  summary: "The logo of the site",
  params: Type.Object({ file: Type.String({ maxLength: 64 }) }),
  answer: { raw: "image/webp", description: "A picture" },
  errors: ["fileNotFound"],
  cacheControl: "public, max-age=31536000, immutable",
  internal: true,
});

export const logoRoutes: Route[] = [
  route(getLogo, async ({ params, reply }, { config: { logo }, blobs }) => {
    const opened = logo && params.file === fileOf(logo) ? await blobs.open(logo.sha512) : undefined;
    if (!opened) throw fail.fileNotFound();
    reply.headers({ "content-security-policy": "sandbox; default-src 'none'", "content-length": opened.size });
    return reply.type("image/webp").send(opened.stream);
  }),
];
