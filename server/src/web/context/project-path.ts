// Where a project is.

export const projectPath = (slug: string): string => `/project/${slug}`;
