// Routes of badges for projects.

import { getVisibleProject } from "#content/projects/read.js";
import { fail } from "#platform/errors.js";
import { sendText } from "#platform/http/answers.js";
import { type Route, route } from "#platform/http/endpoint.js";
import { toShieldsForm, toSvg } from "./badge.js";
import * as contract from "./contract.js";
import { makeBadge } from "./read.js";

/** Proxies of sites that show readme files cache pictures anyway, often for longer. */
const keptByAnybody = "public, max-age=300";

export const badgeRoutes: Route[] = [
  route(contract.getBadge, async ({ params, request, reply, viewer }, resources) => {
    const [, name, form] = /^([a-z-]+)\.(svg|json)$/.exec(params.badge) ?? [];
    const kind = contract.badgeKinds.find((each) => each === name);
    if (!kind) throw fail.notFound();
    const entry = await getVisibleProject(resources, viewer, params.ref);
    const badge = await makeBadge(resources, entry, kind);
    if (entry.isPublic && viewer.kind === "anonymous") reply.header("cache-control", keptByAnybody);
    // Badges are embedded into pages of other sites and are never a page themselves.
    reply
      .header("cross-origin-resource-policy", "cross-origin")
      .header("content-security-policy", "default-src 'none'; sandbox");
    return form === "svg"
      ? sendText(request, reply.type("image/svg+xml; charset=utf-8"), toSvg(badge))
      : sendText(request, reply.type("application/json; charset=utf-8"), JSON.stringify(toShieldsForm(badge)));
  }),
];
