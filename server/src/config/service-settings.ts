// Settings of the running service: addresses, where data lies, what it tells its operator.
import { corsOrigin, listenHost, listenPort, origin, proxy } from "./addresses.js";
import { absolutePath, databaseLocation, folder, storageLocation } from "./locations.js";
import { bearerToken, headerName, listOf, oneOf, onOff, secretKey, secretWord, wholeNumber } from "./parsers.js";
import { secretFile, setting } from "./setting.js";

export const configFileSetting = "MODSHELF_CONFIG_FILE";

export const http = {
  host: setting("MODSHELF_HOST", listenHost, {
    description:
      "Address to listen on. The default is reachable from this machine only; `0.0.0.0` or `::` opens it to the network.",
    default: "127.0.0.1",
    example: "0.0.0.0",
  }),
  port: setting("MODSHELF_PORT", listenPort, {
    description: "Port to listen on. `0`: any free port, which the log names; `MODSHELF_URL` must then be set.",
    default: "3000",
    example: "8080",
  }),
  url: setting("MODSHELF_URL", origin, {
    description:
      "Address under which visitors reach the service. Every link, cookie and origin check uses it; it is never taken from a request.",
    default: "http://localhost:<MODSHELF_PORT>",
    example: "https://mods.example.org",
  }),
  cdnUrl: setting("MODSHELF_CDN_URL", origin, {
    description:
      "Address of the content host, which serves uploaded files. A host of its own keeps them away from visitors' sessions; the same process answers both.",
    default: "<MODSHELF_URL>",
    example: "https://files.example.net",
  }),
  trustedProxies: setting("MODSHELF_TRUSTED_PROXIES", listOf(proxy), {
    description:
      "Proxies whose forwarding headers are believed: IP addresses, ranges, or `loopback`, `linklocal`, `uniquelocal`, separated by commas. Empty: the address of the connection counts.",
    default: "",
    example: "loopback,10.0.0.0/8",
  }),
  connectionsPerAddress: setting("MODSHELF_CONNECTIONS_PER_ADDRESS", wholeNumber([8, 20_000]), {
    description:
      "Most connections that one address may have open at a time; for IPv6 a network of 64 bits counts as one address. Trusted proxies are not limited.",
    default: "256",
    example: "1000",
  }),
  countryHeader: setting("MODSHELF_COUNTRY_HEADER", headerName, {
    description:
      "Header in which a trusted proxy names the country that a download comes from, as two letters; authors then see their downloads by country. The proxy must set or remove it on every request. Unset: countries are not noted.",
    example: "CF-IPCountry",
    usedWith: "MODSHELF_TRUSTED_PROXIES",
  }),
  corsOrigins: setting("MODSHELF_CORS_ORIGINS", listOf(corsOrigin), {
    description:
      "Other websites whose scripts may act with a visitor's session, separated by commas. Public reads and tokens need no entry here.",
    default: "",
    example: "https://launcher.example.org",
  }),
  sendfile: setting("MODSHELF_SENDFILE", oneOf("off", "x-accel-redirect", "x-sendfile"), {
    description:
      "Lets the proxy in front send stored files: `x-accel-redirect` for nginx (an internal location `/modshelf-files/` over `<MODSHELF_DATA_DIR>/files/`), `x-sendfile` for Apache. Several times faster than sending them ourselves.",
    default: "off",
    example: "x-accel-redirect",
  }),
  s3Redirects: setting("MODSHELF_S3_REDIRECTS", onOff, {
    description:
      "`on`: downloads are answered with a redirect to the S3 storage that is good for 5 minutes. Its endpoint must be reachable for visitors.",
    default: "off",
    example: "on",
  }),
  shutdownSeconds: setting("MODSHELF_SHUTDOWN_SECONDS", wholeNumber([1, 3600]), {
    description:
      "How many seconds a stop may take after its signal. The last five of them, or the last sixth of a shorter time, are kept for closing everything; running requests have the time before.",
    default: "30",
    example: "60",
  }),
} as const;

export const data = {
  dir: setting("MODSHELF_DATA_DIR", folder, {
    description: "Folder for everything the service keeps on this machine. It is made when absent.",
    default: "./data",
    example: "/var/lib/modshelf",
  }),
  secretKeys: setting("MODSHELF_SECRET_KEY", listOf(secretKey), {
    description:
      "Key that seals secrets in the database (authenticator apps, webhooks): 32 random bytes as 64 hexadecimal digits or in base64, for example from `openssl rand -base64 32`. Several, separated by commas: the first seals, all of them open. Servers that share a database need the same. Unset: a key is made at the first start, in `<MODSHELF_DATA_DIR>/secret.key`.",
    example: secretFile("secret_key"),
    secret: true,
  }),
} as const;

export const database = {
  location: setting("MODSHELF_DATABASE_URL", databaseLocation, {
    description: "The database: `sqlite:<path>`, or `postgres://user:password@host:port/database`.",
    default: "sqlite:<MODSHELF_DATA_DIR>/modshelf.db",
    example: secretFile("database_url"),
    secret: true,
    publicPart: /^(?:sqlite:.*|postgres(?:ql)?:\/\/)/s,
  }),
  poolSize: setting("MODSHELF_DATABASE_POOL_SIZE", wholeNumber([1, 500]), {
    description: "Most connections that one process opens to PostgreSQL. SQLite does not use it.",
    default: "10",
    example: "20",
  }),
} as const;

export const storage = {
  location: setting("MODSHELF_STORAGE_URL", storageLocation, {
    description:
      "Where uploaded files lie: `file:<path>`, or `s3://bucket/prefix?endpoint=https://…&region=…`. The prefix may be left out; without options it is Amazon's S3 in us-east-1.",
    default: "file:<MODSHELF_DATA_DIR>/files",
    example: "s3://mods/files?endpoint=https://s3.example.org&region=eu-1",
  }),
  accessKeyId: setting("MODSHELF_S3_ACCESS_KEY_ID", secretWord, {
    description: "Access key for S3 storage.",
    example: secretFile("s3_access_key_id"),
    secret: true,
    needs: ["MODSHELF_S3_SECRET_ACCESS_KEY"],
  }),
  secretAccessKey: setting("MODSHELF_S3_SECRET_ACCESS_KEY", secretWord, {
    description: "Secret that belongs to the access key.",
    example: secretFile("s3_secret_access_key"),
    secret: true,
    needs: ["MODSHELF_S3_ACCESS_KEY_ID"],
  }),
} as const;

export const log = {
  level: setting("MODSHELF_LOG_LEVEL", oneOf("trace", "debug", "info", "warn", "error", "fatal", "silent"), {
    description:
      "Least severe messages that are logged: `trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`.",
    default: "info",
    example: "warn",
  }),
} as const;

export const metrics = {
  port: setting("MODSHELF_METRICS_PORT", listenPort, {
    description:
      "Port of its own for `/metrics`, open to everyone who reaches it. `0`: any free port, which the log names. Unset: no such port.",
    example: "9464",
  }),
  host: setting("MODSHELF_METRICS_HOST", listenHost, {
    description: "Address on which the metrics port listens.",
    default: "127.0.0.1",
    example: "10.0.0.5",
    usedWith: "MODSHELF_METRICS_PORT",
  }),
  token: setting("MODSHELF_METRICS_TOKEN", bearerToken, {
    description: "Opens `/metrics` on the main port to callers who send it as a bearer token, 16 characters or more.",
    example: secretFile("metrics_token"),
    secret: true,
  }),
} as const;

export const file = {
  path: setting(configFileSetting, absolutePath, {
    description: "The config file, when it is not `modshelf.env` in the working folder. Only in the environment.",
    example: "/etc/modshelf.env",
  }),
} as const;
