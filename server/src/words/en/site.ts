// English words of the pages about the site itself: legal pages, feeds, about.

export const site = {
  about: {
    about: "About this site",
    aboutLead:
      "Modshelf is a registry and download host for game add-ons: mods, shaders, resource packs and whatever else players add to their games.",
    version: "Version",
    figures: "What is here",
    counts: { projects: "Projects", versions: "Versions", files: "Files", authors: "Authors", users: "Users" },
    more: "More",
    source: "Modshelf is free software. Whoever runs it can change it, and gives you its licence with it.",
    links: {
      status: "Status",
      docs: "Documentation",
      feeds: "Feeds",
      rules: "Rules",
      privacy: "Privacy",
      security: "Security",
    },
    status: "Status",
    allWell: "Everything works",
    trouble: "Something does not work right now",
    parts: "Parts",
    part: { database: "Database", storage: "Storage of files", server: "This server", jobs: "Work in the background" },
    states: { ok: "works", failing: "fails", unknown: "not known yet", stopping: "is being restarted" },
    waits: "Waiting times",
    review: "Projects that wait for approval",
    median: "Median wait for approval",
    noMedian: "nothing was decided lately",
    jobs: "Tasks in the background",
    oldest: "Oldest of them waits for",
    parked: "Tasks given up after ten tries",
    updated: "Looked at",
    machines: "For machines:",
    docs: "Documentation",
    docsLead: "How to use this site from programs, and what its pages can do.",
    guides: {
      api: "API reference",
      apiText: "Every route with its parameters, answers, access rule and an example to copy.",
      openapi: "OpenAPI document",
      openapiText: "The same as data, to make a client from or to load into a tool.",
      feeds: "Feeds",
      feedsText: "New projects and versions for feed readers and bots, as Atom and JSON Feed.",
      tokens: "Tokens",
      tokensText: "Personal access tokens for scripts and build servers, with as few scopes as possible.",
      badges: "Badges",
      badgesText: "Small pictures with downloads, version or loaders of a project, for a README.",
      maven: "Maven",
      mavenText: "Files of projects as dependencies of a build.",
    },
  },
  feeds: {
    title: "Feeds",
    lead: "A feed reader or a bot asks these addresses for what is new. No account is needed.",
    formats: "Each comes as Atom (.atom) and as JSON Feed (.json), with at most 50 entries, newest first.",
    ofAll: "Of the whole site",
    releases: "New versions of all projects",
    projects: "New projects",
    both: "Both in one",
    ofOne: "Of one project, person, organization or collection",
    ofOneText: "Put the name in place of the part in braces. Their pages link to them too.",
    project: "New versions of a project",
    user: "New versions of a user’s projects",
    organization: "New versions of an organization’s projects",
    collection: "New versions of the projects in a collection",
    filters: "Only what fits",
    filtersText: "Add to any of the addresses:",
    v: "a game version",
    l: "a loader",
    ch: "a release channel: release, beta, alpha or dev, each with the more stable ones",
    yours: "For your setup:",
    copy: (what: string) => `Copy the address: ${what}`,
  },
  followingFeed: {
    title: "What you follow",
    lead: "New versions of the projects that you follow. Feed readers know no sign-in: the address itself holds a key, so keep it to yourself. It opens this feed and nothing else.",
    signIn: "Sign in to get yours",
    make: "Make my address",
    renew: "Make a new address",
    remove: "Revoke it",
    made: "You have an address, made",
    renewHint: "A new one takes its place; the old one stops working.",
    once: "This is your address. It is shown this once.",
    back: "All feeds",
    copy: "Copy the address",
  },
  legal: {
    pages: "Legal",
    titles: {
      terms: "Terms of use",
      rules: "Rules for content",
      privacy: "Privacy",
      copyright: "Copyright claims",
      security: "Security",
    },
    notReviewed: "Not reviewed by the operator",
    notReviewedText:
      "Whoever runs this site has not written this page yet. The text below comes with the software and binds nobody.",
    updated: "Last changed",
    edit: "Edit this page",
    admin: {
      title: "Legal pages",
      lead: "What you write here replaces the text that comes with the software. Markdown. Leave it empty to go back.",
      text: "Text",
      save: "Save",
      own: "Written by you",
      standIn: "Comes with the software",
      seen: "See the page",
      tooLong: (most: string) => `Must be at most ${most} characters long`,
    },
    defaults: {
      terms: `You may read and download everything here without an account. Whoever publishes keeps the rights to his work, and lets this site store it and give it to visitors, under the licence that he chose.

## What we ask

- Publish only what you made, or may publish.
- Follow the [rules for content](/legal/rules).
- Do not overload the service. The [API reference](/api/docs) says how much is welcome.

## What you can rely on

- Files stay what they are: their bytes never change under the same version.
- You can take your projects away, and [export or delete your account](/settings/account).

Everything is provided as it is, without warranty.`,
      rules: `## Not allowed

- Programs that harm, spy, or take over what is not theirs.
- Other people's work without their permission.
- Hatred, threats, sexual content, private details of other people.
- Names taken only to keep others from them.

## Expected

- A description that says what a project does and does not do.
- True details: game versions, loaders, dependencies, licence.

Moderators look at what is [reported](/report), and say why they decide what they decide.`,
      privacy: `## What is stored

- For an account: user name, e-mail address, what you write on your profile, and how you sign in.
- For sessions: the device, its address, and when it was last used. You see them under [sessions](/settings/sessions).
- For downloads: a keyed digest of the address, for a day, so that nobody is counted twice. The address itself is not kept.

## What is not

- No advertising, no tracking by others, no cookies but those that the site needs: for signing in, for forms, theme, language and your setup.

You can [export or delete](/settings/account) what belongs to your account.`,
      copyright: `Was something of yours published here without your permission? Write to whoever runs this site, and name:

1. the work that is yours, and where it is to be seen;
2. the address here at which it was published;
3. how to reach you;
4. that you hold the rights, or act for who does.

Or [report the project](/report), with the reason "Somebody else's work".`,
      security: `Found a hole? Please tell whoever runs this site before you tell the world. The address stands in
[security.txt](/.well-known/security.txt).

- Try it on your own account and your own projects only.
- Do not read, change or delete what belongs to others.

A file that does harm is not a hole in the site: [report it](/report).`,
    },
  },
};
