// English words about the settings. The descriptions are also the documentation (docs/configuration.md).

export const settings = {
  groups: {
    http: "Addresses",
    data: "Data folder",
    database: "Database",
    storage: "File storage",
    look: "Look and words",
    site: "Site",
    staff: "Moderators and administrators",
    admin: "First administrator",
    mail: "Mail",
    oauth: "Sign-in with other services",
    limits: "Limits",
    log: "Log",
    metrics: "Metrics",
    file: "Config file",
  },
  /** What each setting does. Backticks mark code. */
  descriptions: {
    MODSHELF_SITE_NAME: "What the site is called: in its header, in titles, feeds and cards.",
    MODSHELF_SITE_DESCRIPTION:
      "One sentence about the site, on its first page and for search engines. Empty: a general one.",
    MODSHELF_LANGUAGE: "Language for visitors whose browser asks for none that the site has: `en` or `de`.",
    MODSHELF_FOOTER_LINKS:
      "Links at the bottom of every page, at most 8, each as `Name <https://…>`, separated by commas; for an imprint, a forum, a chat.",
    MODSHELF_THEME: "Colours for visitors who have not chosen: `auto` (like their device), `light` or `dark`.",
    MODSHELF_ACCENT:
      "Colour of buttons and marks, as `#rrggbb`; it must be dark enough to be read on a light page (4.5:1). A lighter one for the dark theme is made from it. Empty: teal.",
    MODSHELF_HOST:
      "Address to listen on. The default is reachable from this machine only; `0.0.0.0` or `::` opens it to the network.",
    MODSHELF_PORT: "Port to listen on. `0`: any free port, which the log names; `MODSHELF_URL` must then be set.",
    MODSHELF_URL:
      "Address under which visitors reach the service. Every link, cookie and origin check uses it; it is never taken from a request.",
    MODSHELF_CDN_URL:
      "Address of the content host, which serves uploaded files. A host of its own keeps them away from visitors' sessions; the same process answers both.",
    MODSHELF_TRUSTED_PROXIES:
      "Proxies whose forwarding headers are believed: IP addresses, ranges, or `loopback`, `linklocal`, `uniquelocal`, separated by commas. Empty: the address of the connection counts.",
    MODSHELF_CONNECTIONS_PER_ADDRESS:
      "Most connections that one address may have open at a time; for IPv6 a network of 64 bits counts as one address. Trusted proxies are not limited.",
    MODSHELF_COUNTRY_HEADER:
      "Header in which a trusted proxy names the country that a download comes from, as two letters; authors then see their downloads by country. The proxy must set or remove it on every request. Unset: countries are not noted.",
    MODSHELF_CORS_ORIGINS:
      "Other websites whose scripts may act with a visitor's session, separated by commas. Public reads and tokens need no entry here.",
    MODSHELF_SENDFILE:
      "Lets the proxy in front send stored files: `x-accel-redirect` for nginx (an internal location `/modshelf-files/` over `<MODSHELF_DATA_DIR>/files/`), `x-sendfile` for Apache. Several times faster than sending them ourselves.",
    MODSHELF_S3_REDIRECTS:
      "`on`: downloads are answered with a redirect to the S3 storage that is good for 5 minutes. Its endpoint must be reachable for visitors.",
    MODSHELF_SHUTDOWN_SECONDS:
      "How many seconds a stop may take after its signal. The last five of them, or the last sixth of a shorter time, are kept for closing everything; running requests have the time before.",
    MODSHELF_DATA_DIR: "Folder for everything the service keeps on this machine. It is made when absent.",
    MODSHELF_SECRET_KEY:
      "Key that seals secrets in the database (authenticator apps, webhooks): 32 random bytes as 64 hexadecimal digits or in base64, for example from `openssl rand -base64 32`. Several, separated by commas: the first seals, all of them open. Servers that share a database need the same. Unset: a key is made at the first start, in `<MODSHELF_DATA_DIR>/secret.key`.",
    MODSHELF_DATABASE_URL: "The database: `sqlite:<path>`, or `postgres://user:password@host:port/database`.",
    MODSHELF_DATABASE_POOL_SIZE: "Most connections that one process opens to PostgreSQL. SQLite does not use it.",
    MODSHELF_STORAGE_URL:
      "Where uploaded files lie: `file:<path>`, or `s3://bucket/prefix?endpoint=https://…&region=…`. The prefix may be left out; without options it is Amazon's S3 in us-east-1.",
    MODSHELF_S3_ACCESS_KEY_ID: "Access key for S3 storage.",
    MODSHELF_S3_SECRET_ACCESS_KEY: "Secret that belongs to the access key.",
    MODSHELF_LOG_LEVEL:
      "Least severe messages that are logged: `trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`.",
    MODSHELF_METRICS_PORT:
      "Port of its own for `/metrics`, open to everyone who reaches it. `0`: any free port, which the log names. Unset: no such port.",
    MODSHELF_METRICS_HOST: "Address on which the metrics port listens.",
    MODSHELF_METRICS_TOKEN:
      "Opens `/metrics` on the main port to callers who send it as a bearer token, 16 characters or more.",
    MODSHELF_CONFIG_FILE:
      "The config file, when it is not `modshelf.env` in the working folder. Only in the environment.",
    MODSHELF_REGISTRATION:
      "`open`: anybody may sign up. `closed`: only who has an invite code, which administrators make at `/admin/invites`; existing accounts go on working.",
    MODSHELF_REVIEW:
      "`on`: a moderator approves each project before it is public. `first`: only those of people of whom nothing was approved yet. `off`: submitting a project publishes it.",
    MODSHELF_REPORT_REASONS_OFF:
      "Reasons that reports cannot have here, separated by commas: `spam`, `reuploaded_work`, `inappropriate`, `malicious`, `name_squatting`, `poor_description`, `invalid_metadata`.",
    MODSHELF_GUEST_REPORTS:
      "`on`: people without an account can report things on the website, once they have confirmed their e-mail address; they are told the outcome by mail. Needs a mail server.",
    MODSHELF_RATE_LIMITS: "`off` lifts all limits on how often a client may call. Only for tests and closed networks.",
    MODSHELF_MAVEN_GROUP:
      "Group id of all artifacts in the Maven repository under `/maven`. Changing it breaks existing builds.",
    MODSHELF_WEBHOOK_ALLOW_PRIVATE:
      "`on`: webhooks may lead to private addresses, to any port and to http. Only for tests and closed networks: whoever edits a project could then reach into yours.",
    MODSHELF_TRUSTED_ISSUERS:
      "Build services whose word authors may rely on to publish without a token: `github:` or `gitlab:`, for the words that it uses, and the address with which it names itself in its OpenID Connect tokens; separated by commas. `none`: there are none.",
    MODSHELF_SECURITY_CONTACT:
      "Where security problems of this site can be reported: e-mail addresses or https:// addresses, separated by commas. Shown to everybody in `/.well-known/security.txt`. Empty: there is no such file.",
    MODSHELF_TAXONOMY_FILE:
      "File with the project types, loaders, categories and game versions, in place of the ones that come along.",
    MODSHELF_ADMIN_USER: "User name of the first administrator, made at start when there is none yet.",
    MODSHELF_ADMIN_EMAIL: "E-mail address of the first administrator.",
    MODSHELF_ADMIN_PASSWORD:
      "Password of the first administrator, 8 to 128 characters. It can go once the account exists.",
    MODSHELF_SMTP_URL:
      "Mail server: `smtp://user:password@host:587`, or `smtps://…` for TLS from the start. Unset: mail goes to the log.",
    MODSHELF_MAIL_FROM: "Sender of all mail.",
    MODSHELF_OAUTH_GITHUB_CLIENT_ID:
      'Client id of the OAuth application at GitHub. With its secret, "Sign in with GitHub" appears.',
    MODSHELF_OAUTH_GITLAB_CLIENT_ID:
      'Client id of the OAuth application at GitLab. With its secret, "Sign in with GitLab" appears.',
    MODSHELF_OAUTH_DISCORD_CLIENT_ID:
      'Client id of the OAuth application at Discord. With its secret, "Sign in with Discord" appears.',
    MODSHELF_OAUTH_GOOGLE_CLIENT_ID:
      'Client id of the OAuth application at Google. With its secret, "Sign in with Google" appears.',
    MODSHELF_OAUTH_GITHUB_CLIENT_SECRET: "Client secret of the OAuth application at GitHub.",
    MODSHELF_OAUTH_GITLAB_CLIENT_SECRET: "Client secret of the OAuth application at GitLab.",
    MODSHELF_OAUTH_DISCORD_CLIENT_SECRET: "Client secret of the OAuth application at Discord.",
    MODSHELF_OAUTH_GOOGLE_CLIENT_SECRET: "Client secret of the OAuth application at Google.",
    MODSHELF_OAUTH_GITLAB_URL: "Address of the GitLab instance.",
    MODSHELF_ACCOUNT_QUOTA:
      "How much one account may store: all files of the versions that it has published, and the pictures of its projects, organizations, collections, reports and profile. `off`: no limit.",
    MODSHELF_MIN_FREE_DISK:
      "While less than this is free on a disk that the service writes to, uploads are refused (507) and everything else goes on. `off`: only a full disk refuses them.",
    MODSHELF_MAX_PRIMARY_FILE_SIZE: "Largest primary file of a version.",
    MODSHELF_MAX_ADDITIONAL_FILE_SIZE: "Largest additional file of a version.",
    MODSHELF_MAX_ADDITIONAL_FILES: "Most additional files of a version.",
    MODSHELF_MAX_ICON_SIZE: "Largest icon or avatar that is taken.",
    MODSHELF_MAX_GALLERY_IMAGE_SIZE: "Largest gallery image that is taken.",
    MODSHELF_MAX_GALLERY_IMAGES: "Most gallery images of a project.",
    MODSHELF_MAX_DEPENDENCIES: "Most dependencies of a version.",
    MODSHELF_MAX_PROJECTS_PER_USER: "Most projects that one person owns. Those of organizations do not count.",
    MODSHELF_RETIRED_NAME_DAYS:
      "How long nobody gets the slug of a deleted project or organization, or the number of a deleted version, so that nothing else is taken for it. `0`: it is free at once.",
    MODSHELF_STAFF_SECOND_FACTOR:
      "Whether moderators and administrators must confirm their identity with a second factor (an authenticator app or a passkey) before they can use their powers. `auto`: those who have one must. `always`: all must, and have no powers until they set one up. `off`: the password is enough.",
    MODSHELF_STAFF_HOURS:
      "How many hours the powers of moderators and administrators last at most after they signed in or confirmed their identity. They end earlier when the session is not used for 2 hours.",
    MODSHELF_STAFF_ADMIN_MINUTES:
      "How many minutes the powers of administrators last after they signed in or confirmed their identity; after that they have those of moderators.",
  },
};
