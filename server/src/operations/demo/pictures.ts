// Pictures for demo projects: drawn as SVG here and rendered to PNG, then uploaded like anybody's.
import { fromHue, toHex } from "#platform/images/oklab.js";

/** A number from a name, the same every time. */
export function seedOf(name: string): number {
  let seed = 2166136261;
  for (const character of name) seed = Math.imul(seed ^ character.charCodeAt(0), 16777619) >>> 0;
  return seed;
}

const color = (seed: number, lightness: number, chroma: number): string =>
  toHex(fromHue(lightness, chroma, (seed % 360) / 360));

/** Loads its library at the first picture: every server would start with it, and most never draw one. */
async function render(svg: string): Promise<Buffer> {
  const { default: sharp } = await import("sharp");
  return sharp(Buffer.from(svg)).png().toBuffer();
}

/** A tile with a few overlapping shapes and the first letter. */
export function drawIcon(name: string): Promise<Buffer> {
  const seed = seedOf(name);
  const [ground, shape, mark] = [color(seed, 0.32, 0.07), color(seed + 40, 0.62, 0.14), color(seed + 80, 0.92, 0.05)];
  const turn = seed % 90;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><rect width="256" height="256" fill="${ground}"/>
    <g transform="rotate(${turn} 128 128)" fill="${shape}"><rect x="${20 + (seed % 40)}" y="40" width="150" height="150" rx="${(seed >> 3) % 75}" opacity=".9"/>
    <circle cx="${150 + (seed % 50)}" cy="170" r="${50 + (seed % 30)}" opacity=".7"/></g>
    <text x="128" y="172" font-family="DejaVu Sans, sans-serif" font-size="130" font-weight="700" text-anchor="middle" fill="${mark}">${name[0]}</text></svg>`;
  return render(svg);
}

/** A landscape of layered hills under a sky, used as a screenshot. */
export function drawScene(name: string, index: number): Promise<Buffer> {
  const seed = seedOf(`${name} ${index}`);
  const hills = Array.from({ length: 5 }, (_, layer) => {
    const base = 260 + layer * 70;
    const points = Array.from({ length: 9 }, (_, step) => `${step * 160},${base - ((seed >> (step + layer)) % 90)}`);
    return `<path d="M0,720 L${points.join(" L")} L1280,720 Z" fill="${color(seed + layer * 12, 0.62 - layer * 0.1, 0.09)}"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="720"><rect width="1280" height="720" fill="${color(seed + 200, 0.86, 0.06)}"/>
    <circle cx="${200 + (seed % 880)}" cy="${110 + (seed % 90)}" r="60" fill="${color(seed + 30, 0.95, 0.05)}"/>${hills.join("")}</svg>`;
  return render(svg);
}
