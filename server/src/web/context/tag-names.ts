// Names of categories and loaders for people: "game-mechanics" reads as "Game mechanics".

export function tagName(name: string): string {
  const words = name.replaceAll(/[-_]+/g, " ").trim();
  // "8x-" and "512x+" are sizes: what stands at their end belongs to them.
  if (/^\d/.test(name)) return name;
  return words.charAt(0).toUpperCase() + words.slice(1);
}
