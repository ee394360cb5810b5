// Settings of the site: who may join, what is published how, how large things may be.
import { lastReportType, reportTypes } from "#lib/report-types.js";
import { baseUrl, contact, trustedIssuers } from "./addresses.js";
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
    description:
      "`open`: anybody may sign up. `closed`: only who has an invite code, which administrators make at `/admin/invites`; existing accounts go on working.",
    default: "open",
    example: "closed",
    web: "registration",
  }),
  review: setting("MODSHELF_REVIEW", oneOf("on", "first", "off"), {
    description:
      "`on`: a moderator approves each project before it is public. `first`: only those of people of whom nothing was approved yet. `off`: submitting a project publishes it.",
    default: "on",
    example: "off",
    web: "moderation",
  }),
  reportReasonsOff: setting("MODSHELF_REPORT_REASONS_OFF", listOf(oneOf(...optionalReportTypes)), {
    description: `Reasons that reports cannot have here, separated by commas: ${optionalReportTypes.map((type) => `\`${type}\``).join(", ")}.`,
    default: "",
    example: "poor_description,invalid_metadata",
    web: "moderation",
  }),
  guestReports: setting("MODSHELF_GUEST_REPORTS", onOff, {
    description:
      "`on`: people without an account can report things on the website, once they have confirmed their e-mail address; they are told the outcome by mail. Needs a mail server.",
    default: "off",
    example: "on",
    usedWith: "MODSHELF_SMTP_URL",
    web: "moderation",
  }),
  rateLimits: setting("MODSHELF_RATE_LIMITS", onOff, {
    description: "`off` lifts all limits on how often a client may call. Only for tests and closed networks.",
    default: "on",
    example: "off",
  }),
  mavenGroup: setting("MODSHELF_MAVEN_GROUP", groupId, {
    description:
      "Group id of all artifacts in the Maven repository under `/maven`. Changing it breaks existing builds.",
    default: "maven.modshelf",
    example: "org.example.mods",
  }),
  privateWebhooks: setting("MODSHELF_WEBHOOK_ALLOW_PRIVATE", onOff, {
    description:
      "`on`: webhooks may lead to private addresses, to any port and to http. Only for tests and closed networks: whoever edits a project could then reach into yours.",
    default: "off",
    example: "on",
  }),
  trustedIssuers: setting("MODSHELF_TRUSTED_ISSUERS", trustedIssuers, {
    description:
      "Build services whose word authors may rely on to publish without a token: `github:` or `gitlab:`, for the words that it uses, and the address with which it names itself in its OpenID Connect tokens; separated by commas. `none`: there are none.",
    default: "github:https://token.actions.githubusercontent.com,gitlab:https://gitlab.com",
    example: "gitlab:https://git.example.org",
  }),
  securityContacts: setting("MODSHELF_SECURITY_CONTACT", listOf(contact), {
    description:
      "Where security problems of this site can be reported: e-mail addresses or https:// addresses, separated by commas. Shown to everybody in `/.well-known/security.txt`. Empty: there is no such file.",
    default: "",
    example: "security@example.org",
  }),
  taxonomyFile: setting("MODSHELF_TAXONOMY_FILE", readableFile, {
    description:
      "File with the project types, loaders, categories and game versions, in place of the ones that come along.",
    example: "./taxonomy.yaml",
  }),
} as const;

export const admin = {
  userName: setting("MODSHELF_ADMIN_USER", userName, {
    description: "User name of the first administrator, made at start when there is none yet.",
    example: "keeper",
    needs: ["MODSHELF_ADMIN_EMAIL", "MODSHELF_ADMIN_PASSWORD"],
  }),
  email: setting("MODSHELF_ADMIN_EMAIL", emailAddress, {
    description: "E-mail address of the first administrator.",
    example: "keeper@example.org",
    needs: ["MODSHELF_ADMIN_USER", "MODSHELF_ADMIN_PASSWORD"],
  }),
  password: setting("MODSHELF_ADMIN_PASSWORD", password, {
    description: "Password of the first administrator, 8 to 128 characters. It can go once the account exists.",
    example: secretFile("admin_password"),
    secret: true,
    needs: ["MODSHELF_ADMIN_USER", "MODSHELF_ADMIN_EMAIL"],
  }),
} as const;

export const mail = {
  smtpUrl: setting("MODSHELF_SMTP_URL", smtpUrl, {
    description:
      "Mail server: `smtp://user:password@host:587`, or `smtps://…` for TLS from the start. Unset: mail goes to the log.",
    example: secretFile("smtp_url"),
    secret: true,
    publicPart: /^smtps?:\/\//,
    needs: ["MODSHELF_MAIL_FROM"],
  }),
  from: setting("MODSHELF_MAIL_FROM", sender, {
    description: "Sender of all mail.",
    example: "Modshelf <noreply@example.org>",
    usedWith: "MODSHELF_SMTP_URL",
  }),
} as const;

const clientId = (provider: string) =>
  setting(`MODSHELF_OAUTH_${provider.toUpperCase()}_CLIENT_ID`, word, {
    description: `Client id of the OAuth application at ${provider}. With its secret, "Sign in with ${provider}" appears.`,
    example: "modshelf-client",
    needs: [`MODSHELF_OAUTH_${provider.toUpperCase()}_CLIENT_SECRET`],
  });

const clientSecret = (provider: string) =>
  setting(`MODSHELF_OAUTH_${provider.toUpperCase()}_CLIENT_SECRET`, secretWord, {
    description: `Client secret of the OAuth application at ${provider}.`,
    example: secretFile(`${provider.toLowerCase()}_client_secret`),
    secret: true,
    needs: [`MODSHELF_OAUTH_${provider.toUpperCase()}_CLIENT_ID`],
  });

export const oauth = {
  githubClientId: clientId("GitHub"),
  githubClientSecret: clientSecret("GitHub"),
  gitlabClientId: clientId("GitLab"),
  gitlabClientSecret: clientSecret("GitLab"),
  gitlabUrl: setting("MODSHELF_OAUTH_GITLAB_URL", baseUrl, {
    description: "Address of the GitLab instance.",
    default: "https://gitlab.com",
    example: "https://git.example.org",
    usedWith: "MODSHELF_OAUTH_GITLAB_CLIENT_ID",
  }),
  discordClientId: clientId("Discord"),
  discordClientSecret: clientSecret("Discord"),
  googleClientId: clientId("Google"),
  googleClientSecret: clientSecret("Google"),
} as const;

const fileSize = byteSize("1 KiB", "100 GiB");
/** Images are decoded, which takes many times their size in memory. */
const imageSize = byteSize("1 KiB", "64 MiB");

export const limits = {
  accountBytes: setting("MODSHELF_ACCOUNT_QUOTA", byteSizeOrOff("1 KiB", "1000000 GiB", Number.POSITIVE_INFINITY), {
    description:
      "How much one account may store: all files of the versions that it has published, and the pictures of its projects, organizations, collections, reports and profile. `off`: no limit.",
    default: "50 GiB",
    example: "5 GiB",
    web: "limits",
  }),
  freeDiskBytes: setting("MODSHELF_MIN_FREE_DISK", byteSizeOrOff("1 KiB", "1000000 GiB", 0), {
    description:
      "While less than this is free on a disk that the service writes to, uploads are refused (507) and everything else goes on. `off`: only a full disk refuses them.",
    default: "512 MiB",
    example: "5 GiB",
  }),
  primaryFileBytes: setting("MODSHELF_MAX_PRIMARY_FILE_SIZE", fileSize, {
    description: "Largest primary file of a version.",
    default: "512 MiB",
    example: "1 GiB",
    web: "limits",
  }),
  additionalFileBytes: setting("MODSHELF_MAX_ADDITIONAL_FILE_SIZE", fileSize, {
    description: "Largest additional file of a version.",
    default: "128 MiB",
    example: "64 MiB",
    web: "limits",
  }),
  additionalFiles: setting("MODSHELF_MAX_ADDITIONAL_FILES", wholeNumber([0, 100]), {
    description: "Most additional files of a version.",
    default: "10",
    example: "20",
    web: "limits",
  }),
  iconBytes: setting("MODSHELF_MAX_ICON_SIZE", imageSize, {
    description: "Largest icon or avatar that is taken.",
    default: "512 KiB",
    example: "1 MiB",
    web: "limits",
  }),
  galleryImageBytes: setting("MODSHELF_MAX_GALLERY_IMAGE_SIZE", imageSize, {
    description: "Largest gallery image that is taken.",
    default: "8 MiB",
    example: "4 MiB",
    web: "limits",
  }),
  galleryImages: setting("MODSHELF_MAX_GALLERY_IMAGES", wholeNumber([0, 1000]), {
    description: "Most gallery images of a project.",
    default: "64",
    example: "32",
    web: "limits",
  }),
  dependencies: setting("MODSHELF_MAX_DEPENDENCIES", wholeNumber([0, 4096]), {
    description: "Most dependencies of a version.",
    default: "256",
    example: "512",
    web: "limits",
  }),
  projects: setting("MODSHELF_MAX_PROJECTS_PER_USER", wholeNumber([1, 100_000]), {
    description: "Most projects that one person owns. Those of organizations do not count.",
    default: "1000",
    example: "50",
    web: "limits",
  }),
  retiredNameDays: setting("MODSHELF_RETIRED_NAME_DAYS", wholeNumber([0, 3650]), {
    description:
      "How long nobody gets the slug of a deleted project or organization, or the number of a deleted version, so that nothing else is taken for it. `0`: it is free at once.",
    default: "90",
    example: "365",
  }),
} as const;
