// Turns the body of a look-up into a query, for the ordinary routes and for the hot path.
import { parseChannels } from "#content/versions/channels.js";
import type { Parsed } from "#platform/http/endpoint.js";
import type { getUpdatesByHashes, getVersionsByHashes } from "./contract.js";
import type { HashQuery } from "./read.js";

type Body = Parsed<typeof getVersionsByHashes.body>;
type UpdateBody = Parsed<typeof getUpdatesByHashes.body>;

export const toHashQuery = ({ algorithm = "sha512", hashes }: Body): HashQuery => ({ algorithm, hashes });

export const toUpdateQuery = ({ gameVersions, loader, releaseChannel, ...body }: UpdateBody): HashQuery => ({
  ...toHashQuery(body),
  update: { gameVersions, loader, channels: parseChannels(releaseChannel) },
});
