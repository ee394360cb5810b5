// Safe redirect targets: only paths of this site.

const controls = /[\p{Cc}\\]/u;

/** The path if it is one of this site, else the alternative. */
export const safeNext = (next: string | undefined, otherwise = "/"): string =>
  next !== undefined && next.length <= 2000 && /^\/(?!\/)/.test(next) && !controls.test(next) ? next : otherwise;
