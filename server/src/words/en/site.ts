// English words of the pages about the site itself: legal pages, feeds, about.

export const site = {
  about: {
    about: "About this site",
    aboutLead:
      "Modshelf hosts game add-ons for download: mods, shaders, resource packs and everything else players add to their games.",
    version: "Version",
    figures: "Statistics",
    counts: { projects: "Projects", versions: "Versions", files: "Files", authors: "Authors", users: "Users" },
    more: "More",
    source: "Modshelf is free software. Anyone may run and modify it under the terms of its license.",
    links: {
      status: "Status",
      docs: "Documentation",
      feeds: "Feeds",
      rules: "Rules",
      privacy: "Privacy",
      security: "Security",
    },
    status: "Status",
    allWell: "All systems operational",
    trouble: "Some systems have problems",
    parts: "Components",
    part: { database: "Database", storage: "File storage", server: "This server", jobs: "Background jobs" },
    states: { ok: "operational", failing: "failing", unknown: "unknown", stopping: "restarting" },
    waits: "Queues",
    review: "Projects waiting for review",
    median: "Median review time",
    noMedian: "no recent reviews",
    jobs: "Background jobs",
    oldest: "Oldest job waiting for",
    parked: "Jobs that failed after ten attempts",
    updated: "Last checked",
    machines: "Machine-readable:",
  },
  guides: {
    title: "Documentation",
    lead: "How to use this site, publish on it, build on its API and run your own.",
    readers: {
      players: "For players",
      authors: "For authors",
      launchers: "For launcher developers",
      operators: "For operators",
    },
    find: "Search the documentation",
    search: "Search",
    found: (words: string) => `Results for “${words}”`,
    none: "No section contains all of these words.",
    all: "All pages",
    contents: "On this page",
    language: "These pages are in English.",
    programs: "For programs",
    api: "API reference",
    apiText: "Every endpoint with its parameters, answers, access rules and an example to copy.",
    openapi: "OpenAPI document",
    openapiText: "A machine-readable description of the API, to generate a client or import into a tool.",
    tokens: "Tokens",
    tokensText: "Personal access tokens for scripts and build servers.",
  },
  feeds: {
    title: "Feeds",
    lead: "Follow what is new in a feed reader or bot. You don't need an account.",
    formats: "Each feed is available as Atom (.atom) and JSON Feed (.json), with up to 50 entries, newest first.",
    ofAll: "Entire site",
    releases: "New versions of all projects",
    projects: "New projects",
    both: "New projects and versions",
    ofOne: "A project, user, organization or collection",
    ofOneText: "Replace the part in braces with the name. You can also find these feeds on their pages.",
    project: "New versions of a project",
    user: "New versions of a user's projects",
    organization: "New versions of an organization's projects",
    collection: "New versions of the projects in a collection",
    filters: "Filters",
    filtersText: "Add these parameters to any feed URL:",
    v: "a game version",
    l: "a loader",
    ch: "a release channel: release, beta, alpha or dev, each including the more stable ones",
    yours: "For your setup:",
    copy: (what: string) => `Copy ${what} URL`,
  },
  followingFeed: {
    title: "Your personal feed",
    lead: "New versions of the projects you follow. Feed readers cannot sign in, so the URL contains a secret key. Don't share it. The key only opens this feed.",
    signIn: "Sign in to get your feed",
    make: "Create feed URL",
    renew: "Create a new URL",
    remove: "Revoke URL",
    made: "You have a feed URL, created",
    renewHint: "A new URL replaces the old one, which stops working.",
    once: "This is your feed URL. Copy it now: it is shown only once.",
    back: "All feeds",
    copy: "Copy URL",
  },
  legal: {
    pages: "Legal",
    titles: {
      terms: "Terms of use",
      rules: "Content rules",
      privacy: "Privacy",
      copyright: "Copyright claims",
      security: "Security",
    },
    notReviewed: "Not reviewed by the operator",
    notReviewedText:
      "The operator of this site has not written this page yet. The text below comes with the software and is not binding.",
    updated: "Last changed",
    edit: "Edit page",
    admin: {
      title: "Legal pages",
      lead: "Your text replaces the default text of the software. You can use Markdown. Leave it empty to restore the default.",
      text: "Text",
      save: "Save",
      own: "Your text",
      standIn: "Default text",
      seen: "View page",
      tooLong: (most: string) => `Must be at most ${most} characters long`,
    },
    defaults: {
      terms: `You can view and download everything here without an account. Authors keep the rights to their work. By publishing it, they allow this site to store it and distribute it to visitors under the license they chose.

## What we ask

- Only publish what you made or have permission to publish.
- Follow the [content rules](/legal/rules).
- Do not overload the service. See the [API reference](/api/docs) for its rate limits.

## What you can rely on

- Published files never change: a version always has the same bytes.
- You can delete your projects, and [export your data or delete your account](/settings/account).

Everything is provided as is, without warranty.`,
      rules: `## Not allowed

- Malicious software, spyware and anything that takes over other programs or accounts.
- Other people's work without their permission.
- Hate speech, threats, sexual content and private information about other people.
- Name squatting: taking a name only to keep others from using it.

## Expected

- A description that explains what the project does and does not do.
- Correct details: game versions, loaders, dependencies and license.

Moderators review [reports](/report) and give a reason for each decision.`,
      privacy: `## What is stored

- For an account: your username, email address, profile and how you sign in.
- For sessions: the device, its IP address and when it was last used. You can see them under [sessions](/settings/sessions).
- For downloads and page views: a keyed hash of the IP address or account, for a few hours, so that each visitor is counted once. The IP address itself is not stored.
- For authors: how many views and downloads their projects have per day, by country if it is known, and by the website that linked to the page (only its host name). If your browser sends "Do Not Track" or "Global Privacy Control", your view is only added to the number.

## What is not stored

- There is no advertising and no third-party tracking. The site only uses the cookies it needs: for sign-in, forms, theme, language and your setup.

You can [export or delete](/settings/account) the data of your account.`,
      copyright: `Was your work published here without your permission? Contact the operator of this site and include:

1. your original work, and where it can be seen;
2. the URL on this site where it was published;
3. your contact details;
4. a statement that you hold the rights, or act for the person who does.

Or [report the project](/report) with the reason "Someone else's work".`,
      security: `Found a vulnerability? Please tell the operator of this site before you make it public. The contact is listed in
[security.txt](/.well-known/security.txt).

- Only test with your own account and your own projects.
- Do not read, change or delete data that belongs to others.

A malicious file is not a vulnerability of the site: [report it](/report).`,
    },
  },
};
