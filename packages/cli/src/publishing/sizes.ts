// Sizes and hashes as people read them.

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const [unit, size] =
    bytes < 1e6 ? (["kB", 1e3] as const) : bytes < 1e9 ? (["MB", 1e6] as const) : (["GB", 1e9] as const);
  return `${(bytes / size).toFixed(1)} ${unit}`;
}

export const shortHash = (hash: string): string => `${hash.slice(0, 4)}…${hash.slice(-4)}`;
