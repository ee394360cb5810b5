// Valid and invalid values for every setting.
import { join } from "node:path";
import { backupSamples } from "./backup-samples.js";
import { lookSamples } from "./look-samples.js";
import { providerSamples } from "./provider-samples.js";
import {
  asIs,
  badAddresses,
  canary,
  choice,
  host,
  list,
  numbers,
  origin,
  type Samples,
  secret,
  sizes,
} from "./sample-kinds.js";
import { scannerSamples } from "./scanner-samples.js";

const s3Keys = { MODSHELF_S3_ACCESS_KEY_ID: "k3y", MODSHELF_S3_SECRET_ACCESS_KEY: "k3y" };
const admin = {
  MODSHELF_ADMIN_USER: "keeper",
  MODSHELF_ADMIN_EMAIL: "a@b.example",
  MODSHELF_ADMIN_PASSWORD: "tr0ub4dor&3",
};

/** `cwd` contains taxonomy.yaml, other.env (which sets port 4000) and an empty folder. */
export function toSamples(cwd: string): Record<string, Samples> {
  const s3 = { kind: "s3", accessKeyId: "k3y", secretAccessKey: "k3y", temporaryDir: join(cwd, "data/tmp") };
  const postgres = (url: string): [string, unknown] => [url, { engine: "postgres", url, poolSize: 10 }];
  return {
    MODSHELF_HOST: host((c) => c.http.host),
    MODSHELF_PORT: {
      ...numbers((c) => c.http.port, 0, 65_535),
      company: { MODSHELF_URL: "https://mods.example.org" },
    },
    MODSHELF_URL: origin((c) => c.http.url),
    MODSHELF_CDN_URL: origin((c) => c.http.cdnUrl),
    MODSHELF_MODRINTH_API: choice((c) => c.http.modrinthApi, { on: true, off: false }),
    MODSHELF_MODRINTH_URL: origin((c) => c.http.modrinthUrl),
    MODSHELF_TRUSTED_PROXIES: {
      pick: (c) => c.http.trustedProxies,
      good: [
        ["loopback", ["loopback"]],
        ["10.0.0.0/8, ::1 192.168.1.1,,10.0.0.0/8 fc00::/7", ["10.0.0.0/8", "::1", "192.168.1.1", "fc00::/7"]],
      ],
      bad: list(
        "* | true | 1 | 0.0.0.0/0 | ::/0 | 10.0.0.0/33 | ::1/129 | 10.0.0.0/ | ::ffff:0:0/96 | ::ffff:10.0.0.0/64 | 10.0.0.0/8/8 | 10.0.0.256 | " +
          "loopback,CANARY | proxy.example",
      ),
    },
    MODSHELF_CONNECTIONS_PER_ADDRESS: numbers((c) => c.limits.connectionsPerAddress, 8, 20_000),
    MODSHELF_MEMORY: {
      pick: (c) => c.http.memoryBytes,
      good: [
        ["256 MiB", 256 * 1024 ** 2],
        ["2 GiB", 2 * 1024 ** 3],
      ],
      bad: list("255 MiB | 0 | off | -1 | 1025 GiB | 1 CANARY"),
    },
    MODSHELF_WORKERS: numbers((c) => c.http.workers, 1, 64),
    MODSHELF_COUNTRY_HEADER: {
      pick: (c) => c.http.countryHeader,
      company: { MODSHELF_TRUSTED_PROXIES: "loopback" },
      good: [
        ["CF-IPCountry", "cf-ipcountry"],
        ["x", "x"],
      ],
      bad: list("-x | 1x | x_y | x y | x: | CANARY! | x,y | ünal | LONG"),
    },
    MODSHELF_CORS_ORIGINS: {
      pick: (c) => c.http.corsOrigins,
      good: [["https://a.example/, http://localhost:5173", ["https://a.example", "http://localhost:5173"]]],
      bad: [...badAddresses, ...list("* | null | https://a.example,CANARY | http://a.example/CANARY")],
    },
    MODSHELF_SENDFILE: choice((c) => c.http.sendfile, {
      off: "off",
      "x-accel-redirect": "x-accel-redirect",
      "x-sendfile": "x-sendfile",
    }),
    MODSHELF_S3_REDIRECTS: choice((c) => c.http.s3Redirects, { on: true, off: false }),
    MODSHELF_SHUTDOWN_SECONDS: numbers((c) => c.http.shutdownSeconds, 1, 3600),
    ...backupSamples(cwd),
    MODSHELF_DATA_DIR: {
      pick: (c) => c.dataDir,
      good: [
        ["folder", join(cwd, "folder")],
        ["./a/../new one", join(cwd, "new one")],
        ["/absolute/data", "/absolute/data"],
      ],
      bad: list("taxonomy.yaml | taxonomy.yaml/CANARY | taxonomy.yaml/CANARY/deeper | /dev/null | LONG"),
    },
    MODSHELF_SECRET_KEY: {
      pick: (c) => c.secretKeys?.map((key) => key.toString("hex")),
      good: [
        ["0123456789abcdef".repeat(4), ["0123456789abcdef".repeat(4)]],
        [
          `${Buffer.from("f0123456789abcde".repeat(4), "hex").toString("base64")},${"0123456789ABCDEF".repeat(4)}`,
          ["f0123456789abcde".repeat(4), "0123456789abcdef".repeat(4)],
        ],
      ],
      bad: [
        ...list("CANARY | changeme | LONG"),
        "00".repeat(32),
        "0123456789abcdef".repeat(3),
        "0123456789abcdef".repeat(5),
      ],
    },
    MODSHELF_DATABASE_URL: {
      pick: (c) => c.database,
      good: [
        ["sqlite:x/y.db", { engine: "sqlite", path: join(cwd, "x/y.db") }],
        ["sqlite:///var/m.db", { engine: "sqlite", path: "/var/m.db" }],
        postgres("postgres://m:p%40ss@db:5433/mods?sslmode=require"),
        postgres("postgresql://[::1]/mods"),
        postgres("postgres://%2Frun%2Fpostgresql/mods"),
        postgres("postgres:///mods?host=/run/postgresql"),
      ],
      bad: list(
        "sqlite: | sqlite://host/x | sqlite::memory: | sqlite:folder | sqlite:taxonomy.yaml/CANARY | mysql://m:CANARY@db/mods | CANARY | " +
          "postgres://m:CANARY@db | postgres://m:CANARY@db/ | postgres://m:CANARY@db/a/b | postgres://m:CANARY#@db/mods | " +
          "postgres://m:CANARY/x@db/mods | postgres://m:%zzCANARY@db/mods | postgres:m:CANARY@db/mods | postgres://m:CANARY x@db/mods | " +
          "postgres://m:CANARY@db:99999/mods | postgres:///modsCANARY | postgres://m:CANARY@1.2.3/mods | LONG",
      ),
    },
    MODSHELF_DATABASE_POOL_SIZE: {
      ...numbers((c) => c.database.engine === "postgres" && c.database.poolSize, 1, 500),
      company: { MODSHELF_DATABASE_URL: "postgres://db/mods" },
    },
    MODSHELF_STORAGE_URL: {
      pick: (c) => c.storage,
      company: s3Keys,
      good: [
        ["file:folder", { kind: "disk", path: join(cwd, "folder") }],
        ["file:///srv/files", { kind: "disk", path: "/srv/files" }],
        [
          "s3://mods",
          { ...s3, bucket: "mods", prefix: "", endpoint: "https://s3.us-east-1.amazonaws.com", region: "us-east-1" },
        ],
        [
          "s3://mods/a/b/?endpoint=http://minio:9000/&region=eu-1",
          { ...s3, bucket: "mods", prefix: "a/b", endpoint: "http://minio:9000", region: "eu-1" },
        ],
      ],
      bad: list(
        "file: | file://host/x | file:taxonomy.yaml | file:taxonomy.yaml/CANARY | ./files | s3://key:CANARY@mods | s3:// | s3:mods | " +
          "s3://Mods | s3://ab | s3://mods/../x | s3://mods/a//b | s3://mods/a%2fb | s3://mods?secret=CANARY | s3://mods?endpoint=CANARY | " +
          "s3://mods?endpoint=https://u:CANARY@x | s3://mods?region=a/b | s3://mods#CANARY | CANARY | s3://mods/LONG",
      ),
    },
    MODSHELF_S3_ACCESS_KEY_ID: secret((c) => c.storage.kind === "s3" && c.storage.accessKeyId, {
      ...s3Keys,
      MODSHELF_STORAGE_URL: "s3://mods",
    }),
    MODSHELF_S3_SECRET_ACCESS_KEY: secret((c) => c.storage.kind === "s3" && c.storage.secretAccessKey, {
      ...s3Keys,
      MODSHELF_STORAGE_URL: "s3://mods",
    }),
    ...lookSamples,
    MODSHELF_REGISTRATION: choice((c) => c.registration, { open: "open", closed: "closed" }),
    MODSHELF_REVIEW: choice((c) => c.review, { on: "on", first: "first", off: "off" }),
    MODSHELF_REPORT_REASONS_OFF: {
      pick: (c) => c.reportReasonsOff,
      good: [["spam, Name_Squatting,spam", ["spam", "name_squatting"]]],
      bad: list("other | CANARY | spam;malicious | spam,CANARY | __proto__"),
    },
    MODSHELF_GUEST_REPORTS: choice((c) => c.guestReports, { on: true, off: false }),
    MODSHELF_STAFF_SECOND_FACTOR: choice((c) => c.staff.secondFactor, { auto: "auto", always: "always", off: "off" }),
    MODSHELF_STAFF_HOURS: numbers((c) => c.staff.hours, 1, 720),
    MODSHELF_STAFF_ADMIN_MINUTES: numbers((c) => c.staff.adminMinutes, 5, 43_200),
    MODSHELF_RATE_LIMITS: choice((c) => c.limits.rates, { on: true, off: false }),
    ...scannerSamples,
    MODSHELF_MAVEN_GROUP: {
      pick: (c) => c.mavenGroup,
      good: asIs("mods | io.github.4name | org.example-site.my_mods"),
      bad: list("1mods | .a | a. | a..b | a/b | ../a | a b | a.CANARY! | ä.b | LONG | LONG.LONG!"),
    },
    MODSHELF_SECURITY_CONTACT: {
      pick: (c) => c.securityContacts,
      good: [
        ["mailto:a@b.example", ["mailto:a@b.example"]],
        ["https://b.example/security/, a@b.example", ["https://b.example/security", "mailto:a@b.example"]],
      ],
      bad: list(
        "CANARY | http://b.example | a@ | <a@b.example> | https://u:CANARY@b.example | https://b.example/?CANARY | a@b.example,CANARY | tel:1 | javascript:CANARY@x",
      ),
    },
    MODSHELF_TRUSTED_ISSUERS: {
      pick: (c) => c.trustedIssuers,
      good: [
        ["none", []],
        [
          "gitlab:https://git.example.org/gitlab/, github:http://127.0.0.1:4000",
          [
            { kind: "gitlab", url: "https://git.example.org/gitlab" },
            { kind: "github", url: "http://127.0.0.1:4000" },
          ],
        ],
      ],
      bad: list(
        "https://gitlab.com | bitbucket:https://a.example | github: | github:CANARY | github:http://a.example | gitlab:https://u:CANARY@a.example | " +
          "gitlab:https://a.example/?CANARY | none,gitlab:https://a.example | github:https://a.example#CANARY",
      ),
    },
    MODSHELF_WEBHOOK_ALLOW_PRIVATE: choice((c) => c.privateWebhooks, { on: true, off: false }),
    MODSHELF_TAXONOMY_FILE: {
      pick: (c) => c.taxonomyFile,
      good: [["taxonomy.yaml", join(cwd, "taxonomy.yaml")]],
      bad: list("missing.yaml | folder | /dev/null | CANARY | LONG"),
    },
    MODSHELF_ADMIN_USER: {
      pick: (c) => c.admin?.userName,
      company: admin,
      good: asIs(`ab | Keeper_of-mods | ${"x".repeat(32)}`),
      bad: list(`a | ${"x".repeat(33)} | a b | a@b | ünal | CANARY!`),
    },
    MODSHELF_ADMIN_EMAIL: {
      pick: (c) => c.admin?.email,
      company: admin,
      good: asIs("a@localhost | first.last+x@mail.example.org"),
      bad: list(
        "a | @b | a@ | a@b@c | a b@c | <a@b.example> | a@b.example,c@d.example | a@-b | CANARY@ | LONG@b.example",
      ),
    },
    MODSHELF_ADMIN_PASSWORD: {
      pick: (c) => c.admin?.password,
      company: admin,
      good: asIs(`tr0ub4dor&3 | correct horse battery |  spaces count  | ${"pq".repeat(64)} | passwörter sind lang`),
      bad: list(
        `Kx7cana | ${canary.repeat(12)} | password | Password123 | changeme | change-me | secret!! | 12345678 | aaaaaaaa | <your password>`,
      ),
    },
    MODSHELF_SMTP_URL: {
      pick: (c) => c.mail?.smtpUrl,
      company: { MODSHELF_MAIL_FROM: "a@b.example" },
      good: asIs("smtp://localhost:1025 | smtps://u:p%40ss@mail.example.org/?pool=true"),
      bad: list(
        "localhost:25 | smtp: | smtp:// | http://u:CANARY@mail.example | smtp://u:CANARY@ | smtp://u:CANARY@mail.example:port | " +
          "smtp://u:CANARY#1@mail.example | smtp://u:%CANARY@mail.example | smtp://u:CANARY @mail.example | smtp://mail.example/CANARY | CANARY",
      ),
    },
    MODSHELF_MAIL_FROM: {
      pick: (c) => c.mail?.from,
      company: { MODSHELF_SMTP_URL: "smtp://mail.example" },
      good: asIs("a@b.example | Mods & Co. <noreply@b.example>"),
      bad: list(
        "Mods | <a@b.example> | Mods a@b.example | Mods <a@b.example> x | a@b.example, c@d.example | CANARY <> | LONG",
      ),
    },
    ...providerSamples,
    MODSHELF_MAX_PRIMARY_FILE_SIZE: sizes((c) => c.limits.primaryFileBytes),
    MODSHELF_MAX_ADDITIONAL_FILE_SIZE: sizes((c) => c.limits.additionalFileBytes),
    MODSHELF_MAX_ADDITIONAL_FILES: numbers((c) => c.limits.additionalFiles, 0, 100),
    MODSHELF_ACCOUNT_QUOTA: {
      pick: (c) => c.limits.accountBytes,
      good: [
        ["5 GiB", 5 * 2 ** 30],
        ["Off", Number.POSITIVE_INFINITY],
      ],
      bad: list("0 | 1023 | none | CANARY | 5 TB | -1 GiB"),
    },
    MODSHELF_MIN_FREE_DISK: {
      pick: (c) => c.limits.freeDiskBytes,
      good: [
        ["10 MB", 1e7],
        ["off", 0],
      ],
      bad: list("0 | 1023 | none | CANARY | 5 TB | -1 GiB"),
    },
    MODSHELF_MAX_ICON_SIZE: sizes((c) => c.limits.iconBytes),
    MODSHELF_MAX_GALLERY_IMAGE_SIZE: sizes((c) => c.limits.galleryImageBytes),
    MODSHELF_MAX_GALLERY_IMAGES: numbers((c) => c.limits.galleryImages, 0, 1000),
    MODSHELF_MAX_DEPENDENCIES: numbers((c) => c.limits.dependencies, 0, 4096),
    MODSHELF_PACK_HOSTS: {
      pick: (c) => c.limits.packHosts,
      good: [["Cdn.example.org, files.example.net:8443", ["cdn.example.org", "files.example.net:8443"]]],
      bad: list(
        "https://CANARY.example | *.example.org | a.example/CANARY | a.example:99999 | 1.2.3 | CANARY@a.example",
      ),
    },
    MODSHELF_MAX_PROJECTS_PER_USER: numbers((c) => c.limits.projects, 1, 100_000),
    MODSHELF_RETIRED_NAME_DAYS: numbers((c) => c.limits.retiredNameDays, 0, 3650),
    MODSHELF_LOG_LEVEL: choice((c) => c.log.level, { debug: "debug", warn: "warn", silent: "silent" }),
    MODSHELF_METRICS_PORT: numbers((c) => c.metrics.port, 0, 65_535),
    MODSHELF_METRICS_HOST: { ...host((c) => c.metrics.host), company: { MODSHELF_METRICS_PORT: "9464" } },
    MODSHELF_METRICS_TOKEN: {
      pick: (c) => c.metrics.token,
      good: [["0f".repeat(16), "0f".repeat(16)]],
      bad: list(
        `CANARY | short | CANARY with spaces | CANARY-ünicode-0123 | changeme-0123456789 | ${"x".repeat(20)} | LONG`,
      ),
    },
    MODSHELF_CONFIG_FILE: {
      pick: (c) => c.http.port,
      good: [["other.env", 4000]],
      bad: list("missing.env | folder | /dev/zero | CANARY | LONG"),
    },
  };
}
