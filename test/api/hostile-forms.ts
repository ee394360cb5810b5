// Multipart forms, complete and broken, written byte by byte, because a library would not write the broken ones.
import { isBinary } from "#platform/http/openapi.js";
import type { JsonSchema } from "#platform/http/openapi-schemas.js";
import { zip } from "#test/files/archives.js";
import { type AnySchema, type Choose, pick } from "./fitting-values.js";
import { hostileTexts } from "./hostile-values.js";

const boundary = "----fuzz";

/** One grey pixel: small, and valid for the decoder. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==",
  "base64",
);

const pictures: readonly Buffer[] = [
  png,
  png,
  png.subarray(0, 40),
  Buffer.concat([png.subarray(0, 16), Buffer.from([0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff]), png.subarray(24)]),
  Buffer.from("GIF89a\xff\xff\xff\xff\x00\x00\x00", "latin1"),
  Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]),
  Buffer.from("RIFF\xff\xff\xff\xffWEBPVP8X", "latin1"),
  Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"),
  Buffer.alloc(0),
  Buffer.alloc(600_000, 1),
];

const part = (heading: string, content: string | Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`--${boundary}\r\n${heading}\r\n\r\n`, "latin1"),
    Buffer.from(content as string),
    Buffer.from("\r\n"),
  ]);

const field = (name: string, value: string): Buffer => part(`Content-Disposition: form-data; name="${name}"`, value);
const file = (name: string, fileName: string, content: Buffer): Buffer =>
  part(`Content-Disposition: form-data; name="${name}"; filename="${fileName}"\r\nContent-Type: image/png`, content);

const end = Buffer.from(`--${boundary}--\r\n`);

/** Whole bodies that are not valid forms. */
const garbage: readonly Buffer[] = [
  Buffer.alloc(0),
  end,
  Buffer.from(`--${boundary}`),
  Buffer.from(`--${boundary}\r\n`),
  Buffer.from(`--${boundary}\r\n\r\n\r\n--${boundary}--`),
  Buffer.from(`--${boundary}\nContent-Disposition: form-data; name="a"\n\nb\n--${boundary}--\n`),
  Buffer.from("no boundary at all"),
  Buffer.concat([part("Content-Disposition: form-data", "x"), end]),
  Buffer.concat([part("Content-Disposition: form-data; name=", "x"), end]),
  Buffer.concat([part("Content-Disposition: attachment; name=\"a\"; filename*=UTF-8''%zz", "x"), end]),
  Buffer.concat([part('Content-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: base64', "!!"), end]),
  Buffer.concat([
    part('Content-Disposition: form-data; name="a"\r\nContent-Type: multipart/mixed; boundary=b', "--b--"),
    end,
  ]),
  Buffer.concat([part(`X-Long: ${"h".repeat(20_000)}\r\nContent-Disposition: form-data; name="a"`, "x"), end]),
  Buffer.concat([...Array.from({ length: 60 }, (_, i) => field(`f${i}`, "x")), end]),
  Buffer.concat([field("__proto__", "x"), field("constructor", "y"), field("toString", "z"), end]),
  Buffer.concat([field("name", "a"), field("name", "b"), end]),
  Buffer.concat([field("n".repeat(5000), "x"), end]),
  Buffer.concat([field("bio", "x".repeat(300_000)), end]),
  Buffer.concat([field("bio", "a\0b"), end]),
  Buffer.concat([file("avatar", "a.png", png), file("avatar", "b.png", png), end]),
  Buffer.concat([file("unknown", "../../x", png), end]),
  Buffer.concat([file("avatar", "\0.png", png), end]),
  Buffer.concat([file("bio", "a.png", png), end]),
  file("avatar", "a.png", png),
];

const archives: readonly Buffer[] = [
  zip([{ name: "mod.json", content: "{}" }]),
  zip([{ name: "../../evil", content: "x" }]),
  zip([]),
  zip([{ name: "mod.json", content: "{}" }]).subarray(10),
  Buffer.alloc(0),
  png,
];

export function multipartBody(
  schema: AnySchema,
  value: unknown,
  choose: Choose,
  isBroken: boolean,
): { body: Buffer; headers: Record<string, string> } {
  const headers = { "content-type": `multipart/form-data; boundary=${boundary}` };
  if (isBroken && choose(2) === 1) return { body: pick(garbage, choose), headers };
  const parts = Object.entries(value ?? {}).map(([name, given]) => {
    if (isBinary((schema.properties?.[name] ?? {}) as JsonSchema)) return fileFor(name, choose, isBroken);
    const text = typeof given === "object" ? JSON.stringify(given) : String(given);
    return field(name, isBroken ? pick(hostileTexts, choose) : text);
  });
  const body = Buffer.concat([...parts, end]);
  return { body: isBroken && choose(4) === 0 ? body.subarray(0, choose(body.length + 1)) : body, headers };
}

function fileFor(name: string, choose: Choose, isBroken: boolean): Buffer {
  const contents = name.endsWith("File") || name.endsWith("Files") ? archives : pictures;
  if (!isBroken) return file(name, `${choose(1000)}.jar`, contents[0]!);
  return file(name, pick(["a.jar", "", "..", "ä.zip", "con.jar"], choose), pick(contents, choose));
}
