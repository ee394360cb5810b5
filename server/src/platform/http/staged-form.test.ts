import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fail } from "#platform/errors.js";
import { filePart, formEnd, rawPart, rawUpload, sendUpload, textPart } from "#test/callers/raw-forms.js";
import { RawConnection } from "#test/process/raw-connection.js";
import { FrameControl, frameRoutes } from "#test/server/frame-routes.js";
import { testApp } from "#test/server/harness.js";

const control = new FrameControl();
const { as, make, origin, dataDir, resources } = await testApp({ routes: frameRoutes(control) });
const path = "/frame/stream";
const port = Number(new URL(origin).port);
const newToken = async () => (await make.token(await make.user(), { scopes: ["user_write"] })).value;
const token = await newToken();
/** The readiness check sometimes writes a temporary file and removes it. */
const temporaries = () => readdirSync(join(dataDir, "files/tmp"));

describe("a streamed form", () => {
  test("is passed to the handler as texts and files by part, in order, and leaves no files", async () => {
    const body = Buffer.concat([
      filePart("more", "b.txt", "22"),
      textPart("text", "hello"),
      filePart("file", "päth/to/a.bin", Buffer.alloc(3_000_000)),
      filePart("more", "a.txt", "1"),
      filePart("unknown", "c.txt", "ignored"),
      formEnd,
    ]);
    const reply = await sendUpload(origin, { path, token, body });
    expect(JSON.parse(reply.body)).toEqual({ text: "hello", files: ["a.bin 3000000", "b.txt 2", "a.txt 1"] });
    await expect.poll(temporaries).toEqual([]);
  });

  test.each([
    ["", 71],
    ['"', 5000],
  ])("has a boundary of bounded length (%s%i)", async (quote, length) => {
    const boundary = "b".repeat(length);
    const body = Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="text"\r\n\r\nhello\r\n--${boundary}--\r\n`,
    );
    const contentType = `multipart/form-data; boundary=${quote}${boundary}${quote}`;
    const reply = await sendUpload(origin, { path, token, body, contentType });
    expect(reply.status).toBe(length < 100 ? 200 : 400);
    if (reply.status === 400) expect(JSON.parse(reply.body).message).toContain("its boundary is too long");
  });

  test("has part headers of at most 8 KiB", async () => {
    const heading = (pad: number) => `name="text"\r\nX-Pad: ${"x".repeat(pad)}`;
    const late = rawPart("", "late")
      .toString()
      .replace("Content-", `X-Pad: ${"x".repeat(9000)}\r\nContent-`);
    const body = Buffer.concat([rawPart(heading(7000), "early"), Buffer.from(late), formEnd]);
    const reply = await sendUpload(origin, { path, token, body });
    expect(JSON.parse(reply.body)).toEqual({ text: "early", files: [] });
    const long = filePart("file", `${"-".repeat(78_000)}a.jar`, "abc");
    const named = await sendUpload(origin, { path, token, body: Buffer.concat([long, formEnd]) });
    expect(named.status).toBe(400);
  });

  test("is refused if a part with the type JSON is nested very deeply", async () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    const part = rawPart('name="text"', deep, "Content-Type: application/json\r\n");
    const reply = await sendUpload(origin, { path, token, body: Buffer.concat([part, formEnd]) });
    expect([reply.status, JSON.parse(reply.body).code]).toEqual([400, "multipartInvalid"]);
  });

  test("is refused with the advice to retry while other forms use up the memory", async () => {
    const budget = 64 * 1024 * 1024;
    const upload = (content: Buffer) => sendUpload(origin, { path: "/frame/upload", token, body: content });
    const withText = Buffer.concat([textPart("text", "hello"), formEnd]);
    const withPicture = Buffer.concat([filePart("picture", "a.png", "abc"), formEnd]);
    await resources.formMemory.share(async (take) => {
      take(budget - 2);
      for (const body of [withText, withPicture]) {
        const reply = await upload(body);
        expect([reply.status, JSON.parse(reply.body).code]).toEqual([503, "unavailable"]);
        expect(Number(reply.headers["retry-after"])).toBeGreaterThan(0);
      }
      await expect.poll(temporaries).toEqual([]);
    });
    expect(JSON.parse((await upload(withText)).body)).toEqual({ text: "hello", size: -1 });
    expect(JSON.parse((await upload(withPicture)).body)).toEqual({ text: "", size: 3 });
  });

  test("may also be JSON without files", async () => {
    expect((await as.bearer(token).post(path, { text: "json" })).body).toEqual({ text: "json", files: [] });
  });

  test("is not read before the route allows it", async () => {
    const [asked, arrived] = [control.asked, control.arrived];
    const refusal = Promise.reject(fail.permissionMissing("upload_version"));
    refusal.catch(() => {});
    control.gate = refusal;
    const body = filePart("file", "a.bin", "the beginning");
    const reply = await sendUpload(origin, { path, token, body, length: 9_000_000 });
    control.gate = Promise.resolve();
    expect([reply.status, reply.headers.connection]).toEqual([403, "close"]);
    expect([control.asked, control.arrived]).toEqual([asked + 1, arrived]);
    await expect.poll(temporaries).toEqual([]);
  });

  test("is requested with 100 Continue only then", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    control.gate = promise;
    const connection = await RawConnection.open(port);
    const body = Buffer.concat([filePart("file", "a.bin", "abc"), formEnd]);
    const request = rawUpload({ path, token, body }).toString("latin1");
    const bodyAt = request.indexOf("\r\n\r\n") + 2;
    connection.send(`${request.slice(0, bodyAt)}expect: 100-continue\r\n\r\n`);
    await expect.poll(() => control.asked).toBeGreaterThan(0);
    expect(connection.received).toBe("");
    resolve();
    await connection.heard(/^HTTP\/1\.1 100 Continue\r\n\r\n/);
    connection.send(body);
    expect(await connection.heard(/"files"/)).toContain('"a.bin 3"');
  });

  test("takes one of sixteen places per account, and releases it", async () => {
    const body = filePart("file", "a.bin", "the beginning");
    const other = await newToken();
    const held = await Promise.all(Array.from({ length: 16 }, () => RawConnection.open(port)));
    for (const connection of held) connection.send(rawUpload({ path, token, body, length: 5_000_000 }));
    await expect.poll(() => temporaries().length).toBe(16);
    const whole = Buffer.concat([body, formEnd]);
    const refused = await sendUpload(origin, { path, token, body: whole });
    expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "30"]);
    expect((await sendUpload(origin, { path, token: other, body: whole })).status).toBe(200);
    for (const connection of held) connection.end();
    await expect.poll(temporaries).toEqual([]);
    expect((await sendUpload(origin, { path, token, body: whole })).status).toBe(200);
  });
});
