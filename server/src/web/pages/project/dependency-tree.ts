// The files of a plan as a tree: the requested file, its dependencies below it, and so on. Pure.
import type { PlannedFile } from "#content/resolve/shapes.js";

export interface TreeNode {
  planned: PlannedFile;
  /** Empty if they are already shown elsewhere in the tree. */
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
  // The plan does not list every reason for a library that very many need; it is shown nevertheless.
  for (const file of files) if (!placed.has(file.project.id)) roots.push(toNode(file));
  return roots;
}
