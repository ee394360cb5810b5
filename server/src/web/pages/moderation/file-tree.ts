// The paths of an archive as a tree of folders; nested archives are folders too.

export interface Branch {
  name: string;
  /** Includes everything below. */
  size: number;
  branches: Branch[];
  /** The path of a file as the archive names it. */
  path?: string;
}

interface Node {
  size: number;
  children: Map<string, Node>;
  path?: string;
}

/** Deeper folders are shown at this level, so that the page does not grow too wide. */
const deepest = 12;

/** Folders first, then by name. */
export function toTree(files: readonly { path: string; size: number }[]): Branch[] {
  const root: Node = { size: 0, children: new Map() };
  for (const { path, size } of files) {
    const parts = path.split("/").filter((part) => part !== "");
    const steps = parts.length > deepest ? [...parts.slice(0, deepest - 1), parts.slice(deepest - 1).join("/")] : parts;
    let node = root;
    for (const step of steps) {
      // "a.jar!" is the content of the archive a.jar: both are one node.
      const name = step.replace(/!$/, "");
      const next = node.children.get(name) ?? { size: 0, children: new Map() };
      node.children.set(name, next);
      node = next;
    }
    node.size += size;
    node.path = path;
  }
  return toBranches(root);
}

function toBranches({ children }: Node): Branch[] {
  return [...children]
    .map(([name, node]): Branch => {
      const branches = toBranches(node);
      const inside = branches.reduce((sum, { size }) => sum + size, 0);
      const path = branches.length === 0 ? node.path : undefined;
      return { name, size: node.size > 0 ? node.size : inside, branches, ...(path !== undefined && { path }) };
    })
    .sort((a, b) => Number(b.branches.length > 0) - Number(a.branches.length > 0) || (a.name < b.name ? -1 : 1));
}
