// The path of a project.

export const projectPath = (slug: string): string => `/project/${slug}`;
