// The files of a plan as a tree: what was asked for, below it what it needs, and so on. Pure.
import type { PlannedFile } from "#content/resolve/shapes.js";

export interface TreeNode {
  planned: PlannedFile;
  /** Empty where they stand in another place of the tree already. */
  children: TreeNode[];
  isRepeated: boolean;
}

export function toTree(files: readonly PlannedFile[], rootId: string): TreeNode[] {
  const placed = new Set<string>();
  const below = (parentId: string): TreeNode[] =>
    files
      .filter(({ reasons }) => reasons.some(({ kind, projectId }) => kind === "required" && projectId === parentId))
      .map(toNode);
  function toNode(planned: PlannedFile): TreeNode {
    const isRepeated = placed.has(planned.project.id);
    placed.add(planned.project.id);
    return { planned, isRepeated, children: isRepeated ? [] : below(planned.project.id) };
  }
  const roots = files.filter(({ project }) => project.id === rootId).map(toNode);
  // Of a library that very many need, not every reason is named: it is shown all the same.
  for (const file of files) if (!placed.has(file.project.id)) roots.push(toNode(file));
  return roots;
}
