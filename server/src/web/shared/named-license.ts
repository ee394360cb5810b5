// The known license that a manifest means. Authors write its id, its name, or a shorter form of them.
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";

const plain = (text: string): string =>
  text.toLowerCase().replace(/\b(?:the|gnu|license|licence|version|v)\b|[^a-z0-9.+]+/g, "");

const abbreviations: ReadonlyMap<string, string> = new Map([
  ["arr", "allrightsreserved"],
  ["cc0", "cc01.0"],
]);

/** "MIT License" is MIT; "GPL-3.0" and "LGPLv3" name no later version, so they are GPL-3.0-only and LGPL-3.0-only. */
export function findNamedLicense(taxonomy: Taxonomy, text: string | null): string {
  const wanted = (text ?? "").trim();
  if (wanted === "") return "";
  const known = taxonomy.findLicense(wanted) ?? taxonomy.findLicense(`${wanted}-only`);
  if (known) return known.licenseId;
  const written = plain(wanted);
  const short = abbreviations.get(written) ?? written;
  if (short === "") return "";
  const forms = new Set([short, short.replace(/v?(\d)$/, "$1.0"), short.replace(/v(\d)/, "$1")]);
  for (const form of [...forms]) forms.add(`${form}only`);
  const usual = [...taxonomy.ownLicenses, ...taxonomy.featuredLicenses, ...taxonomy.licenses];
  return usual.find(({ licenseId, name }) => forms.has(plain(licenseId)) || forms.has(plain(name)))?.licenseId ?? "";
}
