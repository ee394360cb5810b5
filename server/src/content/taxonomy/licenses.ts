// The licences of the SPDX list in their current form, as the tag routes answer them.
import spdxLicenseList from "spdx-license-list";

export interface License {
  name: string;
  licenseId: string;
  url?: string;
  text?: string;
}

// The package does not tell which ids SPDX has deprecated, so they are named here (the last one fell with list 3.25).
// "-only" and "-or-later" replace them in the GNU family, expressions do for exceptions and stacks, twins for the rest.
const deprecatedIds = new Set([
  "AGPL-1.0",
  "AGPL-3.0",
  "BSD-2-Clause-FreeBSD",
  "BSD-2-Clause-NetBSD",
  "bzip2-1.0.5",
  "eCos-2.0",
  "GFDL-1.1",
  "GFDL-1.2",
  "GFDL-1.3",
  "GPL-1.0",
  "GPL-1.0+",
  "GPL-2.0",
  "GPL-2.0+",
  "GPL-2.0-with-autoconf-exception",
  "GPL-2.0-with-bison-exception",
  "GPL-2.0-with-classpath-exception",
  "GPL-2.0-with-font-exception",
  "GPL-2.0-with-GCC-exception",
  "GPL-3.0",
  "GPL-3.0+",
  "GPL-3.0-with-autoconf-exception",
  "GPL-3.0-with-GCC-exception",
  "LGPL-2.0",
  "LGPL-2.0+",
  "LGPL-2.1",
  "LGPL-2.1+",
  "LGPL-3.0",
  "LGPL-3.0+",
  "Net-SNMP",
  "Nunit",
  "StandardML-NJ",
  "wxWindows",
]);

function toLicense([licenseId, { name }]: [string, { name: string }]): License {
  // The list's own page of a licence outlives the pages of its authors, some of which are gone or were never named.
  return { name, licenseId, url: `https://spdx.org/licenses/${licenseId}.html` };
}

function compareIds(left: License, right: License): number {
  const [a, b] = [left.licenseId.toLowerCase(), right.licenseId.toLowerCase()];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Every current SPDX licence, by id without regard to case. */
export const spdxLicenses: readonly License[] = Object.entries(spdxLicenseList)
  .filter(([id]) => !deprecatedIds.has(id))
  .map(toLicense)
  .sort(compareIds);
