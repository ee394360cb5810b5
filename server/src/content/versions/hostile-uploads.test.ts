// createVersion and updateVersion under attack: each case gets a 4xx (or 507) with a reason, nothing becomes visible,
// and no temporary file remains.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type FileSystem, systemFileSystem } from "#lib/file-system.js";
import { openBlobStore } from "#platform/blobs/open.js";
import { boundary, filePart, formEnd, rawPart, rawUpload, sendUpload, textPart } from "#test/callers/raw-forms.js";
import { jar, jarFile, publishTo, toForm, type UploadFile } from "#test/callers/uploads.js";
import { nestedZip, overlappingBomb, zerosEntry } from "#test/files/archive-bombs.js";
import { sevenZip, tar, type ZipEntry, type ZipOptions, zip } from "#test/files/archives.js";
import { RawConnection } from "#test/process/raw-connection.js";
import { testApp } from "#test/server/harness.js";
import { sampleForEngine } from "#test/setup/long.js";
import { makeProject } from "#test/worlds/content.js";

const MiB = 1024 * 1024;
const world = await testApp({
  settings: {
    MODSHELF_MAX_PRIMARY_FILE_SIZE: "12MiB",
    MODSHELF_MAX_ADDITIONAL_FILE_SIZE: "100KiB",
    MODSHELF_MAX_ADDITIONAL_FILES: "3",
    // The tests use the same number repeatedly.
    MODSHELF_RETIRED_NAME_DAYS: "0",
  },
  // Long enough for the largest file on a busy machine.
  patience: { wholeMs: 4000, spanMs: 4000, bytesPerSecond: 1000 },
});
const { as, make, origin, resources, dataDir } = world;
const author = await make.user();
const me = as.user(author);
const { value: token } = await make.token(author, { scopes: ["version_create", "version_write"] });
const project = await makeProject(world, author);
const path = `/api/project/${project.id}/version`;
const temporaries = () => readdirSync(join(dataDir, "files/tmp"));
const listVersions = async () => (await me.get(path)).body.data;

afterEach(async () => {
  await expect.poll(temporaries).toEqual([]);
  for (const { id } of await listVersions()) await me.delete(`${path}/${id}`);
});

const good = [textPart("versionNumber", "1.0"), textPart("gameVersions", '["0.4.8"]')];
const file = () => filePart("primaryFile", "a.jar", jar());

const one: ZipEntry = { name: "a.txt", content: "hello" };
const lies = (entries: ZipEntry[], options?: ZipOptions) => zip(entries, options);

const badFiles: [string, UploadFile][] = [
  ["a text with the extension jar", jarFile("a.jar", Buffer.from("hello"))],
  ["no bytes at all", jarFile("a.jar", Buffer.alloc(0))],
  ["one byte", jarFile("a.jar", Buffer.from("P"))],
  ["an archive without an extension", jarFile("archive")],
  ["an archive with the extension exe", jarFile("a.jar.exe")],
  ["a name that is nothing but an extension", jarFile(".jar")],
  ["a picture with the extension jar", jarFile("a.jar", Buffer.from("\x89PNG\r\n\x1a\n and more", "latin1"))],
  ["an HTML page followed by an archive", jarFile("a.jar", lies([one], { prefix: Buffer.from("<html><script>") }))],
  ["an archive followed by an HTML page", jarFile("a.jar", lies([one], { suffix: Buffer.from("<html><script>") }))],
  ["an archive with hidden bytes", jarFile("a.jar", lies([one], { gap: Buffer.from("hidden") }))],
  ["a truncated archive", jarFile("a.jar", jar().subarray(0, -10))],
  ["an archive without files", jarFile("a.jar", zip([]))],
  ["a path that leaves the archive", jarFile("a.jar", lies([{ name: "../../etc/passwd", content: "x" }]))],
  ["an absolute path", jarFile("a.jar", lies([{ name: "/etc/passwd", content: "x" }]))],
  ["a drive letter", jarFile("a.jar", lies([{ name: "C:\\x", content: "x" }]))],
  ["a link", jarFile("a.jar", lies([{ ...one, content: "/etc/passwd", listed: { mode: 0o120777 } }]))],
  ["a wrong size", jarFile("a.jar", lies([{ ...one, fields: { size: 4 } }]))],
  ["a wrong checksum", jarFile("a.jar", lies([{ ...one, fields: { crc: 1 } }]))],
  ["different names in the local and central header", jarFile("a.jar", lies([{ ...one, local: { name: "b.txt" } }]))],
  ["an entry that is encrypted", jarFile("a.jar", lies([{ ...one, fields: { flags: 1 } }]))],
  ["an entry that is not listed", jarFile("a.jar", lies([one, { name: "b", content: "x", isUnlisted: true }]))],
  ["the same name twice", jarFile("a.jar", lies([one, one]))],
  ["the same name in another case", jarFile("a.jar", lies([one, { ...one, name: "A.TXT" }]))],
  [
    "the same name in another form",
    jarFile(
      "a.jar",
      lies([
        { ...one, name: "\u00e4" },
        { ...one, name: "a\u0308" },
      ]),
    ),
  ],
  ["a name with a control character", jarFile("a.jar", lies([{ ...one, name: "a\x07b" }]))],
  ["a name that is reserved on Windows", jarFile("a.jar", lies([{ ...one, name: "aux.txt" }]))],
  ["a bomb", jarFile("a.jar", lies([zerosEntry("zeros", 3000)]))],
  ["a bomb of overlapping entries", jarFile("a.jar", overlappingBomb(50))],
  ["archives in archives in archives", jarFile("a.jar", nestedZip(6))],
];

describe("an invalid file is refused", () => {
  // A file is inspected before the database is asked.
  test.each(sampleForEngine(badFiles, { step: 4 }))("%s", async (_what, file) => {
    const primary = await publishTo(me, project.id, { primaryFile: file });
    expect(primary).toFail(400, "fileRefused");
    expect(primary.body.message).toMatch(/^\S+ was rejected: .{20,}/);
    if (file.bytes.length < 100_000)
      expect(await publishTo(me, project.id, { additionalFiles: [file] })).toFail(400, "fileRefused");
    expect(await listVersions()).toEqual([]);
  });

  test("a primary file of a type that the project does not allow", async () => {
    const others = [
      { name: "a.zip", bytes: jar() },
      { name: "a.7z", bytes: sevenZip(Buffer.from("x"), Buffer.from("y")) },
      { name: "a.tar", bytes: tar([{ name: "a", content: "x" }]) },
      { name: "a.png", bytes: Buffer.from("\x89PNG\r\n\x1a\n and more", "latin1") },
    ];
    for (const primaryFile of others)
      expect(await publishTo(me, project.id, { primaryFile })).toFail(400, "fileRefused");
  });

  test("one of several: the whole version is refused", async () => {
    const additionalFiles = [jarFile("good.jar"), jarFile("bad.jar", Buffer.from("bad"))];
    expect(await publishTo(me, project.id, { additionalFiles })).toFail(400, "fileRefused");
    expect(await listVersions()).toEqual([]);
  });

  test("one that is added later: the version stays unchanged", async () => {
    await publishTo(me, project.id);
    const [before] = await listVersions();
    const form = toForm({ title: "Changed", additionalFiles: [jarFile("a.jar", Buffer.from("bad"))] });
    expect(await me.call("PATCH", `${path}/${before.id}`, { body: form })).toFail(400, "fileRefused");
    expect(await listVersions()).toEqual([before]);
  });
});

describe("a file that is too large is refused", () => {
  test("as soon as its part exceeds the limit", async () => {
    const large = jarFile("large.jar", Buffer.alloc(12 * MiB + 1));
    const reply = await publishTo(me, project.id, { primaryFile: large });
    expect(reply).toFail(413, "fileTooLarge");
    expect(reply.body.message).toContain("12 MiB");
    const extra = jarFile("extra.jar", Buffer.alloc(100 * 1024 + 1));
    expect(await publishTo(me, project.id, { additionalFiles: [extra] })).toFail(413, "fileTooLarge");
    const most = zip([{ name: "a", content: Buffer.alloc(12 * MiB - 200), isStored: true }]);
    expect(await publishTo(me, project.id, { primaryFile: jarFile("most.jar", most) })).toSucceed();
  });

  test("before it is sent, if Content-Length exceeds the limit", async () => {
    const body = filePart("primaryFile", "a.jar", "the beginning");
    const reply = await sendUpload(origin, { path, token, body, length: 1024 * MiB });
    expect([reply.status, JSON.parse(reply.body).code, reply.headers.connection]).toEqual([
      413,
      "bodyTooLarge",
      "close",
    ]);
  });

  test("when the whole body exceeds the limit without a Content-Length", async () => {
    const body = Buffer.concat([filePart("unknown", "a.bin", Buffer.alloc(15 * MiB)), formEnd]);
    const reply = await sendUpload(origin, { path, token, body, length: "chunked" });
    expect([reply.status, JSON.parse(reply.body).code]).toEqual([413, "bodyTooLarge"]);
  });

  test("when there are too many files", async () => {
    const files = (count: number) => Array.from({ length: count }, (_, at) => jarFile(`${at}.jar`));
    expect(await publishTo(me, project.id, { additionalFiles: files(4) })).toFail(400, "multipartInvalid");
    expect(await publishTo(me, project.id, { additionalFiles: files(40) })).toFail(400, "multipartInvalid");
    expect(await publishTo(me, project.id, { additionalFiles: files(3) })).toSucceed();
  });
});

describe("the name of a file", () => {
  test.each([
    ["a\x07\x1b[31mb.jar", "a-31mb.jar"],
    ["../../../etc/cron.d/mod.jar", "mod.jar"],
    ["..\\..\\mod.jar", "mod.jar"],
    ["mod\u202eraj.jar", "mod-raj.jar"],
    [`${"x".repeat(300)}.jar`, `${"x".repeat(124)}.jar`],
    ["con.jar", "file-con.jar"],
    ["模组.jar", "file.jar"],
    ["a%22%0d%0ax.jar", "a-22-0d-0ax.jar"],
  ])("%j is made harmless, and leads to the file everywhere", async (given, stored) => {
    const body = Buffer.concat([...good, filePart("primaryFile", given, jar()), formEnd]);
    const reply = await sendUpload(origin, { path, token, body });
    expect(reply.status, reply.body).toBe(200);
    const { primaryFile, id } = JSON.parse(reply.body).data;
    expect(primaryFile.name).toBe(stored);
    for (const place of [new URL(primaryFile.url).pathname, `${path}/${id}/${stored}`]) {
      const found = await me.get(place);
      expect([found.status, found.headers.get("content-disposition")]).toEqual([
        200,
        `attachment; filename="${stored}"`,
      ]);
    }
  });

  test.each(["...", "/", "", "..", "\u202e"])("%j is refused", async (given) => {
    const body = Buffer.concat([...good, filePart("primaryFile", given, jar()), formEnd]);
    expect((await sendUpload(origin, { path, token, body })).status).toBe(400);
    expect(await listVersions()).toEqual([]);
  });

  test("must differ from the other file names of its version in more than case", async () => {
    for (const [a, b] of [
      ["a b.jar", "a-b.jar"],
      ["x/mod.jar", "y/MOD.jar"],
    ] as const) {
      const reply = await publishTo(me, project.id, { primaryFile: jarFile(a), additionalFiles: [jarFile(b)] });
      expect(reply).toFail(409, "fileNameTaken");
    }
    expect(await listVersions()).toEqual([]);
  });
});

describe("an invalid form is refused", () => {
  test.each<[string, Buffer, { contentType?: string; status?: number }?]>([
    ["no boundary is named", Buffer.concat([...good, file(), formEnd]), { contentType: "multipart/form-data" }],
    [
      "another boundary is named",
      Buffer.concat([...good, file(), formEnd]),
      { contentType: "multipart/form-data; boundary=x" },
    ],
    ["it stops in a header", Buffer.concat([...good, Buffer.from(`--${boundary}\r\nContent-Disp`)])],
    ["it stops in a text", Buffer.concat([...good, textPart("title", "ab").subarray(0, -2)])],
    ["it stops in a file", Buffer.concat([...good, file().subarray(0, -20)])],
    ["it has no end", Buffer.concat([...good, file()])],
    ["a part comes after its end", Buffer.concat([...good, file(), formEnd, file(), formEnd])],
    ["other bytes come after its end", Buffer.concat([...good, file(), formEnd, Buffer.alloc(5000, "x")])],
    ["a text comes twice", Buffer.concat([...good, textPart("versionNumber", "2.0"), file(), formEnd])],
    ["the primary file comes twice", Buffer.concat([...good, file(), file(), formEnd])],
    ["a part has no name", Buffer.concat([...good, rawPart('filename="x"', "y"), file(), formEnd])],
    ["a file has no name", Buffer.concat([...good, rawPart('name="primaryFile"; filename=""', jar()), formEnd])],
    ["a name is __proto__", Buffer.concat([...good, textPart("__proto__", "x"), file(), formEnd])],
    ["a text contains NUL", Buffer.concat([...good, textPart("title", "a\0b"), file(), formEnd])],
    [
      "a part with the type JSON is not JSON",
      Buffer.concat([...good, rawPart('name="loaders"', "{", "Content-Type: application/json\r\n"), file(), formEnd]),
    ],
    [
      "it has 10,000 texts",
      Buffer.concat([...Array.from({ length: 10_000 }, (_, at) => textPart(`f${at}`, "x")), formEnd]),
    ],
    ["it has 10,000 files", Buffer.concat([...Array.from({ length: 10_000 }, () => filePart("f", "x", "x")), formEnd])],
    [
      "a header has 1 MiB",
      Buffer.concat([
        ...good,
        rawPart('name="primaryFile"; filename="a.jar"', jar(), `X-Long: ${"x".repeat(MiB)}\r\n`),
        formEnd,
      ]),
      { status: 413 },
    ],
    [
      "a text has 300 KiB",
      Buffer.concat([...good, textPart("changelog", "x".repeat(300 * 1024)), file(), formEnd]),
      { status: 413 },
    ],
    [
      "texts without a name have 1 MiB",
      Buffer.concat([rawPart("x=y", Buffer.alloc(MiB)), ...good, file(), formEnd]),
      { status: 413 },
    ],
  ])("%s", async (_what, body, { contentType, status = 400 } = {}) => {
    const reply = await sendUpload(origin, { path, token, body, ...(contentType && { contentType }) });
    expect(JSON.parse(reply.body)).toMatchObject({ success: false, message: expect.stringMatching(/.{20,}/) });
    expect(reply.status, reply.body).toBe(status);
    expect(await listVersions()).toEqual([]);
  });

  test("a complete form is accepted, even with spaces around it", async () => {
    const body = Buffer.concat([Buffer.from("\r\n"), ...good, file(), formEnd, Buffer.from("\r\n")]);
    expect((await sendUpload(origin, { path, token, body })).status).toBe(200);
  });
});

describe("an interrupted upload leaves nothing behind", () => {
  const body = Buffer.concat([
    ...good,
    filePart("primaryFile", "a.jar", zip([{ name: "a", content: Buffer.alloc(2 * MiB), isStored: true }])),
    filePart("additionalFiles", "b.jar", zip([{ name: "b", content: Buffer.alloc(64 * 1024), isStored: true }])),
    formEnd,
  ]);

  test.each(sampleForEngine([10, 20, 30, 40, 50, 60, 70, 80, 90, 99], { step: 3 }))("after %i %%", async (percent) => {
    const sent = Math.floor((body.length * percent) / 100);
    const connection = await RawConnection.open(Number(new URL(origin).port));
    connection.send(rawUpload({ path, token, body: body.subarray(0, sent), length: body.length }));
    await expect.poll(() => temporaries().length, { interval: 5 }).toBeGreaterThan(0);
    connection.end();
    await expect.poll(temporaries).toEqual([]);
    expect(await listVersions()).toEqual([]);
  });

  test("when it stalls, with a message", async () => {
    const reply = await sendUpload(origin, { path, token, body: body.subarray(0, MiB), length: body.length });
    expect([reply.status, JSON.parse(reply.body).code]).toEqual([408, "requestTimeout"]);
  });

  test("when its chunks are broken", async () => {
    const reply = await sendUpload(origin, {
      path,
      token,
      body: Buffer.concat([body, Buffer.from("zz\r\n")]),
      length: "chunked",
    });
    expect(reply.status).toBeLessThan(500);
    expect(await listVersions()).toEqual([]);
  });
});

describe("a full disk is reported, and no existing data is lost", () => {
  const full = () => Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });

  /** The real file system, except for the functions that the test replaces. */
  async function onDisk(changes: Partial<FileSystem>, work: () => Promise<void>): Promise<void> {
    const { blobs } = resources;
    const fileSystem = { ...systemFileSystem, ...changes };
    resources.blobs = await openBlobStore(world.config.storage, { fileSystem });
    await work().finally(() => {
      resources.blobs = blobs;
    });
  }

  test("while the file is written", async () => {
    const open: FileSystem["open"] = async (...args) => {
      const handle = await systemFileSystem.open(...args);
      let left = 100_000;
      const writev = handle.writev.bind(handle);
      handle.writev = (async (slices: Uint8Array[]) => {
        left -= slices.reduce((sum, { byteLength }) => sum + byteLength, 0);
        if (left < 0) throw full();
        return writev(slices);
      }) as typeof handle.writev;
      return handle;
    };
    const large = zip([{ name: "a", content: Buffer.alloc(MiB), isStored: true }]);
    await onDisk({ open }, async () => {
      expect(await publishTo(me, project.id, { primaryFile: jarFile("a.jar", large) })).toFail(507, "diskFull");
      expect(await publishTo(me, project.id)).toSucceed();
    });
  });

  test("when it is moved to its final place, for the first file or a later one", async () => {
    for (const refused of [1, 2]) {
      let count = 0;
      const rename: FileSystem["rename"] = async (...args) => {
        if (++count === refused) throw full();
        return systemFileSystem.rename(...args);
      };
      await onDisk({ rename }, async () => {
        const additionalFiles = [jarFile("b.jar")];
        expect(await publishTo(me, project.id, { additionalFiles })).toFail(507, "diskFull");
      });
    }
    expect(await listVersions()).toEqual([]);
  });

  test("and bytes that were stored in vain are marked for the sweep", async () => {
    const bytes = jar();
    const rename: FileSystem["rename"] = async (from, to) => {
      await systemFileSystem.rename(from, to);
      throw full();
    };
    await onDisk({ rename }, async () => {
      expect(await publishTo(me, project.id, { primaryFile: jarFile("a.jar", bytes) })).toFail(507);
    });
    const rows = await resources.db.selectFrom("blobs").selectAll().where("size", "=", bytes.length).execute();
    expect(rows.filter(({ date_orphaned }) => date_orphaned !== null)).not.toEqual([]);
    const sent = await publishTo(me, project.id, { primaryFile: jarFile("a.jar", bytes) });
    const stored = await me.get(`${path}/${sent.body.slug}/primary-file`);
    expect(stored.bytes.equals(bytes)).toBe(true);
  });
});
