// Settings of the running service: addresses, data locations, logs and metrics.
import { corsOrigin, listenHost, listenPort, origin, proxy } from "./addresses.js";
import { absolutePath, databaseLocation, folder, storageLocation } from "./locations.js";
import {
  bearerToken,
  byteSize,
  headerName,
  listOf,
  oneOf,
  onOff,
  secretKey,
  secretWord,
  wholeNumber,
} from "./parsers.js";
import { secretFile, setting } from "./setting.js";
import { workerCount } from "./worker-count.js";

export const configFileSetting = "MODSHELF_CONFIG_FILE";

export const http = {
  host: setting("MODSHELF_HOST", listenHost, {
    default: "127.0.0.1",
    example: "0.0.0.0",
  }),
  port: setting("MODSHELF_PORT", listenPort, {
    default: "3000",
    example: "8080",
  }),
  url: setting("MODSHELF_URL", origin, {
    default: "http://localhost:<MODSHELF_PORT>",
    example: "https://mods.example.org",
  }),
  cdnUrl: setting("MODSHELF_CDN_URL", origin, {
    default: "<MODSHELF_URL>",
    example: "https://files.example.net",
  }),
  modrinthApi: setting("MODSHELF_MODRINTH_API", onOff, {
    default: "on",
    example: "off",
  }),
  modrinthUrl: setting("MODSHELF_MODRINTH_URL", origin, {
    example: "https://api.mods.example.org",
  }),
  trustedProxies: setting("MODSHELF_TRUSTED_PROXIES", listOf(proxy), {
    default: "",
    example: "loopback,10.0.0.0/8",
  }),
  workers: setting("MODSHELF_WORKERS", workerCount, {
    default: "auto",
    example: "4",
  }),
  memoryBytes: setting("MODSHELF_MEMORY", byteSize("256 MiB", "1024 GiB"), {
    default: "512 MiB",
    example: "2 GiB",
  }),
  countryHeader: setting("MODSHELF_COUNTRY_HEADER", headerName, {
    example: "CF-IPCountry",
    usedWith: "MODSHELF_TRUSTED_PROXIES",
  }),
  corsOrigins: setting("MODSHELF_CORS_ORIGINS", listOf(corsOrigin), {
    default: "",
    example: "https://launcher.example.org",
  }),
  sendfile: setting("MODSHELF_SENDFILE", oneOf("off", "x-accel-redirect", "x-sendfile"), {
    default: "off",
    example: "x-accel-redirect",
  }),
  s3Redirects: setting("MODSHELF_S3_REDIRECTS", onOff, {
    default: "off",
    example: "on",
  }),
  shutdownSeconds: setting("MODSHELF_SHUTDOWN_SECONDS", wholeNumber([1, 3600]), {
    default: "30",
    example: "60",
  }),
} as const;

export const data = {
  dir: setting("MODSHELF_DATA_DIR", folder, {
    default: "./data",
    example: "/var/lib/modshelf",
  }),
  secretKeys: setting("MODSHELF_SECRET_KEY", listOf(secretKey), {
    example: secretFile("secret_key"),
    secret: true,
  }),
} as const;

export const backup = {
  dir: setting("MODSHELF_BACKUP_DIR", folder, {
    default: "<MODSHELF_DATA_DIR>/backups",
    example: "/mnt/other-disk/modshelf",
  }),
  schedule: setting("MODSHELF_BACKUP_SCHEDULE", oneOf("off", "daily", "weekly"), {
    default: "off",
    example: "daily",
    web: "backup",
  }),
  hour: setting("MODSHELF_BACKUP_HOUR", wholeNumber([0, 23]), {
    default: "3",
    example: "22",
    web: "backup",
  }),
  keep: setting("MODSHELF_BACKUP_KEEP", wholeNumber([1, 1000]), {
    default: "7",
    example: "30",
    web: "backup",
  }),
} as const;

export const database = {
  location: setting("MODSHELF_DATABASE_URL", databaseLocation, {
    default: "sqlite:<MODSHELF_DATA_DIR>/modshelf.db",
    example: secretFile("database_url"),
    secret: true,
    publicPart: /^(?:sqlite:.*|postgres(?:ql)?:\/\/)/s,
  }),
  poolSize: setting("MODSHELF_DATABASE_POOL_SIZE", wholeNumber([1, 500]), {
    default: "10",
    example: "20",
  }),
} as const;

export const storage = {
  location: setting("MODSHELF_STORAGE_URL", storageLocation, {
    default: "file:<MODSHELF_DATA_DIR>/files",
    example: "s3://mods/files?endpoint=https://s3.example.org&region=eu-1",
  }),
  accessKeyId: setting("MODSHELF_S3_ACCESS_KEY_ID", secretWord, {
    example: secretFile("s3_access_key_id"),
    secret: true,
    needs: ["MODSHELF_S3_SECRET_ACCESS_KEY"],
  }),
  secretAccessKey: setting("MODSHELF_S3_SECRET_ACCESS_KEY", secretWord, {
    example: secretFile("s3_secret_access_key"),
    secret: true,
    needs: ["MODSHELF_S3_ACCESS_KEY_ID"],
  }),
} as const;

export const log = {
  level: setting("MODSHELF_LOG_LEVEL", oneOf("trace", "debug", "info", "warn", "error", "fatal", "silent"), {
    default: "info",
    example: "warn",
  }),
} as const;

export const metrics = {
  port: setting("MODSHELF_METRICS_PORT", listenPort, {
    example: "9464",
  }),
  host: setting("MODSHELF_METRICS_HOST", listenHost, {
    default: "127.0.0.1",
    example: "10.0.0.5",
    usedWith: "MODSHELF_METRICS_PORT",
  }),
  token: setting("MODSHELF_METRICS_TOKEN", bearerToken, {
    example: secretFile("metrics_token"),
    secret: true,
  }),
} as const;

export const file = {
  path: setting(configFileSetting, absolutePath, {
    example: "/etc/modshelf.env",
  }),
} as const;
