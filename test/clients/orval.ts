// Publishes with the fetch client of orval.
import { createVersion, downloadPrimaryFile, getLatestVersion } from "./orval/api.js";
import { filter, headers, print, ref, release, versionNumber } from "./release.js";

const published = await createVersion(ref, release, { headers });
if (published.status !== 200) throw new Error(published.data.message);
const latest = await getLatestVersion(ref, filter, { headers });
const file = await downloadPrimaryFile(ref, versionNumber, undefined, { headers: { ...headers, Range: "bytes=0-3" } });
print(
  published.data.slug,
  latest.status === 200 ? latest.data.data.versionNumber : undefined,
  file.status === 206 ? file.data : undefined,
  file.status,
);
