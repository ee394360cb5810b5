// Colours in OKLab, where equal distances look equal (Ottosson, 2020): averages stay vivid.

export interface Oklab {
  lightness: number;
  a: number;
  b: number;
}

/** Pixels closer than this to the grey axis are ignored for the hue of a picture. */
const greyChroma = 0.04;
const opaqueEnough = 128;
const colorOfNothing = "#808080";

const linearOfByte = Float64Array.from({ length: 256 }, (_, byte) => {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});

export function toOklab(red: number, green: number, blue: number): Oklab {
  const r = linearOfByte[red]!;
  const g = linearOfByte[green]!;
  const b = linearOfByte[blue]!;
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    a: 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    b: 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  };
}

/** Red, green and blue from 0 to 255; values beyond sRGB are clipped. */
export function toRgb({ lightness, a, b }: Oklab): [red: number, green: number, blue: number] {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    toByte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    toByte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    toByte(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

function toByte(linear: number): number {
  const value = linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055;
  return Math.round(Math.min(1, Math.max(0, value)) * 255);
}

export function toHex(color: Oklab): string {
  return `#${Buffer.from(toRgb(color)).toString("hex")}`;
}

/** Polar form: hue is an angle in turns, from 0 to 1. */
export function fromHue(lightness: number, chroma: number, hue: number): Oklab {
  const angle = hue * 2 * Math.PI;
  return { lightness, a: chroma * Math.cos(angle), b: chroma * Math.sin(angle) };
}

/** The mean of the visible pixels that have a hue, or of all visible ones if none has; four bytes (RGBA) per pixel. */
export function averageColor(pixels: Uint8Array): string {
  const colorful = new Mean();
  const visible = new Mean();
  for (let at = 0; at + 3 < pixels.length; at += 4) {
    if (pixels[at + 3]! < opaqueEnough) continue;
    const color = toOklab(pixels[at]!, pixels[at + 1]!, pixels[at + 2]!);
    visible.add(color);
    if (Math.hypot(color.a, color.b) >= greyChroma) colorful.add(color);
  }
  const mean = colorful.find() ?? visible.find();
  return mean ? toHex(mean) : colorOfNothing;
}

class Mean {
  private count = 0;
  private sum: Oklab = { lightness: 0, a: 0, b: 0 };

  add(color: Oklab): void {
    this.count++;
    this.sum.lightness += color.lightness;
    this.sum.a += color.a;
    this.sum.b += color.b;
  }

  find(): Oklab | undefined {
    const { lightness, a, b } = this.sum;
    return this.count === 0 ? undefined : { lightness: lightness / this.count, a: a / this.count, b: b / this.count };
  }
}
