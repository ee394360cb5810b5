// The current licenses of the SPDX list, as the tag routes return them.
import spdxLicenseList from "spdx-license-list";

export interface License {
  name: string;
  licenseId: string;
  url?: string;
  text?: string;
}

// The package does not say which ids SPDX has deprecated, so they are listed here (as of list version 3.25). GNU
// licenses were replaced by "-only" and "-or-later" ids, exceptions and combinations by license expressions, the others
// by another id.
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
  // Link to the page on spdx.org: pages of the authors may be gone, and some licenses name none.
  return { name, licenseId, url: `https://spdx.org/licenses/${licenseId}.html` };
}

function compareIds(left: License, right: License): number {
  const [a, b] = [left.licenseId.toLowerCase(), right.licenseId.toLowerCase()];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Every current SPDX license, sorted by id without regard to case. */
export const spdxLicenses: readonly License[] = Object.entries(spdxLicenseList)
  .filter(([id]) => !deprecatedIds.has(id))
  .map(toLicense)
  .sort(compareIds);
