// Publishes with a client of @hey-api/openapi-ts.
import { client } from "./hey-api/client.gen.js";
import { createVersion, downloadPrimaryFile, getLatestVersion } from "./hey-api/sdk.gen.js";
import { address, filter, headers, print, ref, release, versionNumber } from "./release.js";

client.setConfig({ baseUrl: address, headers });

const published = await createVersion({ path: { ref }, body: release });
const latest = await getLatestVersion({ path: { ref }, query: filter });
const file = await downloadPrimaryFile({
  path: { ref, version: versionNumber },
  headers: { Range: "bytes=0-3" },
  parseAs: "blob",
});
if (published.error) throw new Error(published.error.message);
print(published.data.slug, latest.data?.data.versionNumber, file.data, file.response?.status ?? 0);
