// Turns the body of a look-up into a query, for the ordinary routes and for the hot path.
import { parseChannels } from "#content/versions/channels.js";
import type { Parsed } from "#platform/http/endpoint.js";
import type { getUpdatesByHashes, getVersionsByHashes } from "./contract.js";
import type { HashQuestion } from "./read.js";

type Body = Parsed<typeof getVersionsByHashes.body>;
type UpdateBody = Parsed<typeof getUpdatesByHashes.body>;

export const toQuestion = ({ algorithm = "sha512", hashes }: Body): HashQuestion => ({ algorithm, hashes });

export const toUpdateQuestion = ({ gameVersions, loader, releaseChannel, ...body }: UpdateBody): HashQuestion => ({
  ...toQuestion(body),
  update: { gameVersions, loader, channels: parseChannels(releaseChannel) },
});
