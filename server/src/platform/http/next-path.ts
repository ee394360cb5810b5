// Where a visitor may be sent on to: a path of this site, never another one.

const controls = /[\p{Cc}\\]/u;

/** The path where it is one of ours, else the other. */
export const safeNext = (next: string | undefined, otherwise = "/"): string =>
  next !== undefined && next.length <= 2000 && /^\/(?!\/)/.test(next) && !controls.test(next) ? next : otherwise;
