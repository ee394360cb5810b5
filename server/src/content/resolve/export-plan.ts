// Sends a plan as a pack, or says why it cannot be one. The same rules hold for the website and the API.
import type { FastifyReply } from "fastify";
import { findPackTarget, type PackFormat, packFormatsOf, toPackLoader } from "#content/bundles/pack-target.js";
import { sendPack } from "#content/bundles/send-bundle.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { fail, invalid } from "#platform/errors.js";
import type { Call } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { say } from "#words/said.js";
import type { BundledPlan } from "./bundled-files.js";

export interface PackWish {
  format: PackFormat;
  taxonomy: Taxonomy;
  plan: BundledPlan;
  gameVersion: string | undefined;
  loaders: readonly string[];
  /** Empty if the caller has sent none. */
  loaderVersion: string;
  /** Name of the file, without its extension. */
  fileName: string;
  name: string;
  version?: string | undefined;
  /** Where the list comes from. */
  origin?: string | undefined;
  /** Names of the projects that could not be included. */
  leftOut?: readonly string[];
  /** The list itself is not public, so no proxy may keep the answer. */
  isPrivate?: boolean;
}

export function exportPlan(
  call: Pick<Call, "request" | "reply">,
  resources: Resources,
  { plan, gameVersion, loaders, loaderVersion, origin, leftOut = [], isPrivate = false, version, ...wish }: PackWish,
): Promise<FastifyReply> {
  const formats = packFormatsOf(wish.taxonomy);
  if (!formats.includes(wish.format))
    throw invalid({ path: "format", message: say.problems.oneOf(["zip", ...formats].join(", ")) });
  const target = findPackTarget({ taxonomy: wish.taxonomy, gameVersion, loaders, ...plan });
  if (target === "private") throw fail.wrongState(say.states.packPrivate);
  if (target === "gameVersion") throw invalid({ path: "gameVersion", message: say.problems.packGameVersion });
  if (target === "loader" || target === "oneLoader")
    throw invalid({ path: "loader", message: say.problems.packLoader });
  return sendPack(call, resources, {
    ...{ ...wish, files: plan.files, isPublic: !isPrivate, target, version },
    loader: toPackLoader(target.loader, loaderVersion),
    summary: toSummary(origin, leftOut),
  });
}

const mostNamed = 20;

/** Launchers show it, so that a pack says itself what it lacks. */
function toSummary(origin: string | undefined, leftOut: readonly string[]): string {
  const named = [...leftOut.slice(0, mostNamed), ...(leftOut.length > mostNamed ? ["…"] : [])];
  return [origin, named.length > 0 && `Not included: ${named.join(", ")}`].filter(Boolean).join(" – ");
}
