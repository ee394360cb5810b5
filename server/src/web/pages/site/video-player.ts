// The player of a video on another site, in a frame of the page whose card was clicked (scripts/site/videos.ts). Pages
// themselves can frame nothing but this document, and only this document can frame a player.
import Type from "typebox";
import { escapeXml } from "#lib/xml.js";
import { fail } from "#platform/errors.js";
import { open } from "#platform/http/access.js";
import { sendText } from "#platform/http/answers.js";
import { endpoint, type Route, route } from "#platform/http/endpoint.js";
import { videoSites } from "#platform/markdown/videos.js";
import { assetPath } from "#web/assets/assets.js";

const getVideoPlayer = endpoint({
  id: "getVideoPlayer",
  method: "GET",
  path: "/assets/video/:site/:id",
  access: open,
  rate: "read",
  tag: "Website",
  summary: "The player of a video on another site",
  params: Type.Object({ site: Type.String({ maxLength: 16 }), id: Type.String({ maxLength: 16 }) }),
  answer: { raw: "text/html; charset=utf-8", description: "A document with one frame" },
  cacheControl: "public, max-age=3600",
  errors: ["fileNotFound"],
  internal: true,
});

export const videoPlayerRoutes: Route[] = [
  route(getVideoPlayer, ({ params: { site, id }, request, reply }) => {
    const known = Object.hasOwn(videoSites, site) ? videoSites[site] : undefined;
    if (known?.address.exec(known.page(id))?.[1] !== id) throw fail.fileNotFound();
    const player = known.player(id);
    reply.headers({
      "content-security-policy": [
        "default-src 'none'",
        "style-src 'self'",
        // The style sheet of the site names its fonts.
        "font-src 'self'",
        `frame-src ${new URL(player).origin}`,
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'self'",
      ].join("; "),
      // The sites refuse to play for pages that do not say where they are.
      "referrer-policy": "strict-origin-when-cross-origin",
      "x-robots-tag": "noindex",
    });
    return sendText(
      request,
      reply.type("text/html; charset=utf-8"),
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Video</title><link rel="stylesheet" href="${assetPath("site.css")}"></head><body class="player"><iframe src="${escapeXml(player)}" title="Video" allow="autoplay; fullscreen; encrypted-media; picture-in-picture"></iframe></body></html>`,
    );
  }),
];
