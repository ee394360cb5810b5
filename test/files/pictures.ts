// Pictures for tests, drawn on demand.
import sharp from "sharp";

/** A picture of one color, as a file of a form. */
export async function drawPicture({
  width = 64,
  height = 64,
  color = "#3366cc",
}: {
  width?: number;
  height?: number;
  color?: string;
} = {}): Promise<Blob> {
  const bytes = await sharp({ create: { width, height, channels: 3, background: color } })
    .png()
    .toBuffer();
  return new Blob([new Uint8Array(bytes)], { type: "image/png" });
}
