// Named places where a test kills the process, to prove that a crash there does no harm. In a running server a fail
// point does nothing: only a test that preloads itself into the process can arm one.

export const failPoints = [
  "upload: form opened",
  "upload: file staged",
  "upload: all parts read",
  "upload: inspected",
  "upload: blobs announced",
  "upload: blob at its address",
  "upload: first blob kept",
  "upload: blobs kept",
  "parts: retained",
  "parts: noted",
  "parts: joined",
  "publish: project locked",
  "publish: files inserted",
  "publish: before commit",
  "publish: after commit",
  "publish: before reply",
  "version delete: before commit",
  "version delete: after commit",
  "sweep: row deleted",
  "sweep: bytes deleted",
  "downloads: before flush",
  "downloads: flushed",
] as const;

export type FailPoint = (typeof failPoints)[number];

let armed: { name: FailPoint; die: () => void } | undefined;

export function armFailPoint(name: FailPoint, die: () => void): void {
  armed = { name, die };
}

export function reach(name: FailPoint): void {
  if (armed?.name === name) armed.die();
}
