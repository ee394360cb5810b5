// The cookies: reading the header and writing Set-Cookie with the flags of decisions §4.

export const sessionCookie = "auth-token";

/** The first cookie of that name; repeated ones cannot come from us. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (!header) return undefined;
  for (const part of header.split(";")) {
    const equals = part.indexOf("=");
    if (equals > 0 && part.slice(0, equals).trim() === name)
      return part
        .slice(equals + 1)
        .trim()
        .replace(/^"|"$/g, "");
  }
  return undefined;
}

/** HttpOnly, SameSite=Lax, host-only; Secure where the site is reached by https. */
export function cookie(
  name: string,
  value: string,
  options: { maxAgeSeconds: number; secure: boolean; path?: string },
): string {
  const parts = [
    `${name}=${value}`,
    `Path=${options.path ?? "/"}`,
    `Max-Age=${options.maxAgeSeconds}`,
    "HttpOnly",
    "SameSite=Lax",
  ];
  if (options.secure) parts.push("Secure");
  return parts.join("; ");
}
