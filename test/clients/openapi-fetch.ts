// Publishes with openapi-fetch and the types of openapi-typescript.
import createClient from "openapi-fetch";
import type { paths } from "./openapi-typescript.js";
import { address, filter, headers, print, ref, release, versionNumber } from "./release.js";

const client = createClient<paths>({ baseUrl: address, headers });

/** The library does not build forms. */
function toForm(body: object): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body))
    for (const entry of [value].flat()) form.append(name, toPart(entry));
  return form;
}
const toPart = (value: unknown) =>
  value instanceof Blob || typeof value === "string" ? (value as string) : JSON.stringify(value);

const published = await client.POST("/api/project/{ref}/version", {
  params: { path: { ref } },
  body: release,
  bodySerializer: toForm,
});
const latest = await client.GET("/api/project/{ref}/version/latest", { params: { path: { ref }, query: filter } });
const file = await client.GET("/api/project/{ref}/version/{version}/primary-file", {
  params: { path: { ref, version: versionNumber }, header: { Range: "bytes=0-3" } },
  parseAs: "blob",
});
if (published.error) throw new Error(published.error.message);
print(published.data.slug, latest.data?.data.versionNumber, file.data, file.response.status);
