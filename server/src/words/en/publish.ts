// English words of the forms that create projects and versions.

export const publish = {
  editorField: {
    help: "Markdown: **bold**, *italic*, # heading, - list, [link](https://…), ```code```.",
    scratch: "Try it out",
    words: {
      toolbar: "Formatting",
      write: "Write",
      preview: "Preview",
      bold: "Bold",
      italic: "Italic",
      heading: "Heading",
      link: "Link",
      list: "List",
      quote: "Quote",
      code: "Code",
      table: "Table",
      details: "Folded text",
      picture: "Picture",
      loading: "Rendering…",
      empty: "Nothing to show yet.",
      failed: "The preview is not available just now.",
      signIn: "Sign in to see a preview.",
      uploading: "Adding the picture…",
      pictureFailed: "The picture could not be added:",
      restored: "Your unsaved text is back.",
      discard: "Discard it",
      restore: "Restore it",
      offered: "There is unsaved text from before.",
    },
  },
  markdownTools: {
    title: "Try markdown out",
    lead: "Descriptions, changelogs and messages are written in it. Nothing of this is kept.",
    text: "Text",
    show: "Show it",
    needsSignIn: "A preview needs a sign-in. Nothing of what you wrote is lost.",
    shown: "How it looks",
    sample: `# Lamps

They light **themselves** at *dusk*. See [the wiki](https://example.org).

- [x] Survival
- [ ] Creative

| Setting | Default |
|---|---:|
| \`range\` | 12 |

\`\`\`json
{ "range": 12 }
\`\`\`

<details><summary>For server owners</summary>

Put the file into \`mods\`.

</details>
`,
  },
  newProject: {
    title: "Publish a project",
    lead: "It begins as a draft that only you see. Its first version comes next.",
    fileTitle: "Start from a file",
    fileText: "Name, summary, type and much of the first version are read from it.",
    file: "The file that players will download",
    readFile: "Read the file",
    noFile: "choose a file first",
    handTitle: "Or by hand",
    checkTitle: "Look it over",
    fromFile: (name: string) => `Filled in from ${name}. It comes along to the next step.`,
    labels: {
      name: "Name",
      slug: "Address",
      type: "Type",
      visibility: "Visibility",
      summary: "Summary",
      owner: "Owner",
    },
    slugHint: (site: string) => `${site}/project/…, small letters, digits and . _ + -`,
    free: "Free would be:",
    summaryHint: "One or two sentences, shown in lists.",
    typeHint: "Some can be combined.",
    visibilities: {
      listed: "Listed: everybody finds it",
      unlisted: "Unlisted: who has the address finds it",
      private: "Private: only the team sees it",
    },
    me: (name: string) => `${name} (you)`,
    create: "Create the project",
    taken: "This address is taken.",
    full: (most: number) => `You own ${most} projects, as many as one person may own here`,
    fullText: "Those of organizations do not count: create it for one, or move some there. Or ask for more:",
    fullLink: "the people who run this site",
  },
  upload: {
    choose: "Choose a file",
    chooseMany: "Choose files",
    drop: "or drop it here",
    dropMany: "or drop them here",
    limit: (types: string, size: string) => `${types}, up to ${size}`,
    kept: "It is here already and need not be sent again.",
    unfinished: (done: string, all: string) => `${done} of ${all} have arrived. Choose the same file again to go on.`,
    another: "Take another file",
    words: {
      pause: "Pause",
      resume: "Resume",
      retry: "Try again",
      remove: "Remove",
      starting: "Starting…",
      paused: "Paused",
      waiting: "No connection. It goes on by itself.",
      checking: "Checking the file…",
      done: "Ready",
      left: "left",
      percent: "{percent} % of {name} uploaded",
      finished: "{name} is uploaded",
      failed: "{name} could not be uploaded: {reason}",
      tooLarge: "larger than {size}",
      signedOut: "you are signed out; sign in in another tab and try again",
      sending: "It is sent as soon as the upload is done.",
    },
  },
  versionActs: {
    yankTitle: (number: string) => `Yank ${number}`,
    yankText:
      "It is no longer offered as the latest version, in searches and to those who need this project. Who asks for it by name or hash still gets it, with a mark.",
    reason: "Reason",
    reasonHint: "Players see it. For example: crashes on worlds from 0.4.6.",
    replacement: "Replacement",
    replacementHint: "A version to take instead; whoever looks at this one is led there.",
    noReplacement: "None",
    security: "It endangers those who use it",
    securityHint: "Everybody who follows the project is told, with the reason.",
    securityReason: "Say what the danger is: it is what your followers are told",
    yank: "Yank the version",
    unyankTitle: (number: string) => `Offer ${number} again`,
    unyankText: "It is offered as before it was yanked.",
    unyank: "Offer it again",
    deleteTitle: (number: string) => `Delete ${number}`,
    deleteText:
      "The version goes with its files and its figures, for good. Whoever depends on it does not find it any more. To take back a bad release, yanking is kinder.",
    yankInstead: "Yank it instead",
    wrongNumber: "This is not the number of the version",
    delete: "Delete for good",
  },
  versionLinks: { edit: "Edit", yank: "Yank…", unyank: "Offer again…", delete: "Delete…" },
  versionForm: {
    newTitle: "Upload a version",
    editTitle: (number: string) => `Edit ${number}`,
    lead: "What the file says about itself is filled in. Look it over, then publish.",
    labels: {
      primaryFile: "File",
      additionalFiles: "More files",
      versionNumber: "Version number",
      title: "Title",
      releaseChannel: "Release channel",
      featured: "Featured",
      loaders: "Loaders",
      gameVersions: "Game versions",
      dependencies: "Dependencies",
      changelog: "Changelog",
    },
    additionalHint: "Sources, documentation, another build. Players get the file above.",
    immutable:
      "What was published stays as it is: the bytes behind a number never change. Upload a new version to replace a file, and yank this one if it must not be used any more.",
    numberHint: "Read from the file where it is empty.",
    titleHint: "Made from name and number where it is empty.",
    featuredHint: "Shown beside the description.",
    gameVersionsHint: "Those that it was tried with.",
    more: (series: string, count: number) => `${series} (${count})`,
    dependenciesHint: "Projects by the last part of their address. Leave the version empty where any will do.",
    depProject: "Project",
    depVersion: "Version (optional)",
    depType: "Kind",
    depTypes: {
      required: "Required",
      optional: "Optional",
      incompatible: "Incompatible",
      embedded: "Contained in the file",
    },
    row: (number: number) => `Dependency ${number}`,
    changelogHint: "What changed since the last version.",
    publish: "Publish the version",
    save: "Save the version",
    archived: "This project is archived",
    archivedText: "It takes no new versions. Change its visibility first.",
    archivedAction: "To the settings",
    notKept: "The file could not be kept; choose it again.",
    files: "Files of this version",
  },
};
