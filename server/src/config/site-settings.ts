// Settings of the site: registration, reviews, sign-in with providers, limits.
import { lastReportType, reportTypes } from "#lib/report-types.js";
import { baseUrl, contact, packHost, remotePictures, scannerPlace, trustedIssuers } from "./addresses.js";
import { launcherCommand, launcherLinks } from "./launchers.js";
import { readableFile, smtpUrl } from "./locations.js";
import {
  byteSize,
  byteSizeOrOff,
  emailAddress,
  groupId,
  listOf,
  oneOf,
  onOff,
  password,
  secretWord,
  sender,
  userName,
  wholeNumber,
  word,
} from "./parsers.js";
import { secretFile, setting } from "./setting.js";

const optionalReportTypes = reportTypes.filter((type) => type !== lastReportType);

export const site = {
  registration: setting("MODSHELF_REGISTRATION", oneOf("open", "closed"), {
    default: "open",
    example: "closed",
    web: "registration",
  }),
  review: setting("MODSHELF_REVIEW", oneOf("on", "first", "off"), {
    default: "on",
    example: "off",
    web: "moderation",
  }),
  reportReasonsOff: setting("MODSHELF_REPORT_REASONS_OFF", listOf(oneOf(...optionalReportTypes)), {
    default: "",
    example: "poor_description,invalid_metadata",
    web: "moderation",
  }),
  guestReports: setting("MODSHELF_GUEST_REPORTS", onOff, {
    default: "off",
    example: "on",
    usedWith: "MODSHELF_SMTP_URL",
    web: "moderation",
  }),
  remotePictures: setting("MODSHELF_REMOTE_PICTURES", remotePictures, {
    default: "on",
    example: "i.imgur.com, *.githubusercontent.com",
    web: "general",
  }),
  launcherLinks: setting("MODSHELF_LAUNCHER_LINKS", launcherLinks, {
    default: "",
    example: "Comet Launcher [quilt 0.5] <comet://install?file={url}>",
    web: "general",
  }),
  launcherCommand: setting("MODSHELF_LAUNCHER_COMMAND", launcherCommand, {
    default: "",
    example: "comet install {project} --version {version}",
    web: "general",
  }),
  mavenGroup: setting("MODSHELF_MAVEN_GROUP", groupId, {
    default: "maven.modshelf",
    example: "org.example.mods",
  }),
  privateWebhooks: setting("MODSHELF_WEBHOOK_ALLOW_PRIVATE", onOff, {
    default: "off",
    example: "on",
  }),
  trustedIssuers: setting("MODSHELF_TRUSTED_ISSUERS", trustedIssuers, {
    default: "github:https://token.actions.githubusercontent.com,gitlab:https://gitlab.com",
    example: "gitlab:https://git.example.org",
  }),
  securityContacts: setting("MODSHELF_SECURITY_CONTACT", listOf(contact), {
    default: "",
    example: "security@example.org",
  }),
  updateUrl: setting("MODSHELF_UPDATE_URL", baseUrl, {
    example: "https://updates.example.org/modshelf.json",
    web: "general",
  }),
  taxonomyFile: setting("MODSHELF_TAXONOMY_FILE", readableFile, {
    example: "./taxonomy.yaml",
  }),
} as const;

export const admin = {
  userName: setting("MODSHELF_ADMIN_USER", userName, {
    example: "keeper",
    needs: ["MODSHELF_ADMIN_EMAIL", "MODSHELF_ADMIN_PASSWORD"],
  }),
  email: setting("MODSHELF_ADMIN_EMAIL", emailAddress, {
    example: "keeper@example.org",
    needs: ["MODSHELF_ADMIN_USER", "MODSHELF_ADMIN_PASSWORD"],
  }),
  password: setting("MODSHELF_ADMIN_PASSWORD", password, {
    example: secretFile("admin_password"),
    secret: true,
    needs: ["MODSHELF_ADMIN_USER", "MODSHELF_ADMIN_EMAIL"],
  }),
} as const;

export const mail = {
  smtpUrl: setting("MODSHELF_SMTP_URL", smtpUrl, {
    example: secretFile("smtp_url"),
    secret: true,
    publicPart: /^smtps?:\/\//,
    needs: ["MODSHELF_MAIL_FROM"],
    web: "mail",
  }),
  from: setting("MODSHELF_MAIL_FROM", sender, {
    example: "Modshelf <noreply@example.org>",
    usedWith: "MODSHELF_SMTP_URL",
    web: "mail",
  }),
} as const;

export const scanner = {
  place: setting("MODSHELF_SCANNER", scannerPlace, {
    example: "127.0.0.1:3310",
    web: "scanner",
  }),
  whenUnscanned: setting("MODSHELF_SCANNER_UNAVAILABLE", oneOf("hold", "publish"), {
    default: "hold",
    example: "publish",
    web: "scanner",
  }),
  largestBytes: setting("MODSHELF_SCANNER_MAX_SIZE", byteSize("1 MiB", "4 GiB"), {
    default: "100 MiB",
    example: "1 GiB",
    web: "scanner",
  }),
} as const;

type Provider = "GitHub" | "GitLab" | "Discord" | "Google";
const inCapitals = (provider: Provider) => provider.toUpperCase() as Uppercase<Provider>;

const clientId = (provider: Provider) =>
  setting(`MODSHELF_OAUTH_${inCapitals(provider)}_CLIENT_ID`, word, {
    example: "modshelf-client",
    needs: [`MODSHELF_OAUTH_${provider.toUpperCase()}_CLIENT_SECRET`],
    web: "sign-in",
  });

const clientSecret = (provider: Provider) =>
  setting(`MODSHELF_OAUTH_${inCapitals(provider)}_CLIENT_SECRET`, secretWord, {
    example: secretFile(`${provider.toLowerCase()}_client_secret`),
    secret: true,
    needs: [`MODSHELF_OAUTH_${provider.toUpperCase()}_CLIENT_ID`],
    web: "sign-in",
  });

export const oauth = {
  githubClientId: clientId("GitHub"),
  githubClientSecret: clientSecret("GitHub"),
  gitlabClientId: clientId("GitLab"),
  gitlabClientSecret: clientSecret("GitLab"),
  gitlabUrl: setting("MODSHELF_OAUTH_GITLAB_URL", baseUrl, {
    default: "https://gitlab.com",
    example: "https://git.example.org",
    usedWith: "MODSHELF_OAUTH_GITLAB_CLIENT_ID",
    web: "sign-in",
  }),
  discordClientId: clientId("Discord"),
  discordClientSecret: clientSecret("Discord"),
  googleClientId: clientId("Google"),
  googleClientSecret: clientSecret("Google"),
  off: setting("MODSHELF_OAUTH_OFF", listOf(oneOf("github", "gitlab", "discord", "google")), {
    default: "",
    example: "discord,google",
    web: "sign-in",
  }),
} as const;

const fileSize = byteSize("1 KiB", "100 GiB");
/** Decoding an image takes many times its size in memory. */
const imageSize = byteSize("1 KiB", "64 MiB");

export const limits = {
  accountBytes: setting("MODSHELF_ACCOUNT_QUOTA", byteSizeOrOff("1 KiB", "1000000 GiB", Number.POSITIVE_INFINITY), {
    default: "50 GiB",
    example: "5 GiB",
    web: "limits",
  }),
  freeDiskBytes: setting("MODSHELF_MIN_FREE_DISK", byteSizeOrOff("1 KiB", "1000000 GiB", 0), {
    default: "512 MiB",
    example: "5 GiB",
    web: "limits",
  }),
  primaryFileBytes: setting("MODSHELF_MAX_PRIMARY_FILE_SIZE", fileSize, {
    default: "512 MiB",
    example: "1 GiB",
    web: "limits",
  }),
  additionalFileBytes: setting("MODSHELF_MAX_ADDITIONAL_FILE_SIZE", fileSize, {
    default: "128 MiB",
    example: "64 MiB",
    web: "limits",
  }),
  additionalFiles: setting("MODSHELF_MAX_ADDITIONAL_FILES", wholeNumber([0, 100]), {
    default: "10",
    example: "20",
    web: "limits",
  }),
  iconBytes: setting("MODSHELF_MAX_ICON_SIZE", imageSize, {
    default: "512 KiB",
    example: "1 MiB",
    web: "limits",
  }),
  galleryImageBytes: setting("MODSHELF_MAX_GALLERY_IMAGE_SIZE", imageSize, {
    default: "8 MiB",
    example: "4 MiB",
    web: "limits",
  }),
  galleryImages: setting("MODSHELF_MAX_GALLERY_IMAGES", wholeNumber([0, 1000]), {
    default: "64",
    example: "32",
    web: "limits",
  }),
  remotePictureBytes: setting("MODSHELF_REMOTE_PICTURE_CACHE_SIZE", byteSize("1 MiB", "1000 GiB"), {
    default: "1 GiB",
    example: "10 GiB",
    web: "limits",
  }),
  dependencies: setting("MODSHELF_MAX_DEPENDENCIES", wholeNumber([0, 4096]), {
    default: "256",
    example: "512",
    web: "limits",
  }),
  packHosts: setting("MODSHELF_PACK_HOSTS", listOf(packHost), {
    default: "cdn.modrinth.com,github.com,raw.githubusercontent.com,gitlab.com",
    example: "cdn.modrinth.com,edge.forgecdn.net",
    web: "limits",
  }),
  projects: setting("MODSHELF_MAX_PROJECTS_PER_USER", wholeNumber([1, 100_000]), {
    default: "1000",
    example: "50",
    web: "limits",
  }),
  retiredNameDays: setting("MODSHELF_RETIRED_NAME_DAYS", wholeNumber([0, 3650]), {
    default: "90",
    example: "365",
    web: "limits",
  }),
  rates: setting("MODSHELF_RATE_LIMITS", onOff, {
    default: "on",
    example: "off",
    web: "limits",
  }),
  connectionsPerAddress: setting("MODSHELF_CONNECTIONS_PER_ADDRESS", wholeNumber([8, 20_000]), {
    default: "256",
    example: "1000",
    web: "limits",
  }),
} as const;
