// QR codes: the picture on the page is rendered and read back by a library that shares no code with the one that made it.
import decodeQR from "qr/decode.js";
import sharp from "sharp";
import { expect, test } from "vitest";
import { jsx, renderToString } from "#lib/jsx-runtime.js";
import { QrCode } from "./qr-code.js";

async function readCode(text: string): Promise<string> {
  const svg = renderToString(jsx(QrCode, { text })).replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"');
  const { data, info } = await sharp(Buffer.from(svg), { density: 288 })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return decodeQR({ width: info.width, height: info.height, data });
}

test.each([
  ["one letter", "x"],
  [
    "a link for an authenticator",
    "otpauth://totp/Modshelf:ada?issuer=Modshelf&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30",
  ],
  ["several scripts", "otpauth://totp/ж:مرحبا?secret=日本"],
  ["the longest text", "x".repeat(271)],
])("a code of %s can be read", async (_kind, text) => {
  expect(await readCode(text)).toBe(text);
});

test("a text that is too long for a phone to read is not shown as a code", () => {
  expect(renderToString(jsx(QrCode, { text: "x".repeat(272) }))).toBe("");
  expect(renderToString(jsx(QrCode, { text: "é".repeat(136) }))).toBe("");
});
