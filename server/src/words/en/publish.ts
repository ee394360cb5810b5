// English words of the forms that create projects and versions.

export const publish = {
  editorField: {
    help: "Markdown: **bold**, *italic*, # heading, - list, [link](https://…), ```code```.",
    scratch: "Markdown playground",
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
      details: "Spoiler",
      picture: "Picture",
      loading: "Rendering…",
      empty: "Nothing to show yet.",
      failed: "The preview is not available right now.",
      signIn: "Sign in to see a preview.",
      uploading: "Adding the picture…",
      pictureFailed: "The picture could not be added:",
      restored: "Your unsaved text was restored.",
      restoredPart: "Your unsaved changelog was restored. The other fields are filled in from your file.",
      discard: "Discard",
      restore: "Restore",
      offered: "You have unsaved text.",
    },
  },
  markdownTools: {
    title: "Markdown playground",
    lead: "Descriptions, changelogs and messages are written in Markdown. Nothing you enter here is saved.",
    text: "Text",
    show: "Preview",
    needsSignIn: "Sign in to see a preview. Your text is safe.",
    shown: "Preview",
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
    lead: "Your project starts as a draft that only you can see. Next, you add its first version.",
    fileTitle: "Start from a file",
    fileText: "We read the name, summary, type and details of the first version from it.",
    file: "File for players to download",
    readFile: "Read the file",
    noFile: "Choose a file first",
    handTitle: "Or fill it in yourself",
    checkTitle: "Check the details",
    fromFile: (name: string) => `Filled in from ${name}. We'll use it for the first version.`,
    labels: {
      name: "Name",
      slug: "URL",
      type: "Type",
      visibility: "Visibility",
      summary: "Summary",
      license: "License",
      owner: "Owner",
    },
    slugHint: (site: string) => `${site}/project/… with lowercase letters, digits and . _ + -`,
    free: "Available:",
    summaryHint: "One or two sentences. Shown in lists.",
    typeHint: "Some types can be combined.",
    visibilities: {
      listed: "Listed: everyone can find it",
      unlisted: "Unlisted: anyone with the link",
      private: "Private: only the team",
    },
    me: (name: string) => `${name} (you)`,
    create: "Create project",
    taken: "This URL is taken. Choose another one.",
    full: (most: number) => `You own ${most} projects, which is the limit`,
    fullText:
      "Projects of organizations do not count. Create this project in an organization, move some projects to one, or ask for a higher limit.",
    fullLink: "Contact the site operators",
  },
  upload: {
    choose: "Choose a file",
    chooseMany: "Choose files",
    drop: "or drop it here",
    dropMany: "or drop them here",
    limit: (types: string, size: string) => `${types}, up to ${size}`,
    kept: "Uploaded",
    unfinished: (done: string, all: string) => `${done} of ${all} uploaded. Choose the same file again to continue.`,
    another: "Choose another file",
    words: {
      pause: "Pause",
      resume: "Resume",
      retry: "Try again",
      remove: "Remove",
      starting: "Starting…",
      paused: "Paused",
      waiting: "No connection. The upload continues automatically.",
      checking: "Checking the file…",
      done: "Done",
      left: "left",
      percent: "{percent}% of {name} uploaded",
      finished: "{name} is uploaded",
      failed: "{name} could not be uploaded: {reason}",
      tooLarge: "larger than {size}",
      signedOut: "you are signed out. Open another tab, sign in and try again.",
      sending: "The form is sent when the upload is done.",
    },
  },
  versionActs: {
    yankTitle: (number: string) => `Yank ${number}`,
    yankText:
      "A yanked version is no longer offered as the latest version, in search results or as a dependency. It can still be downloaded by its number or hash, marked as yanked.",
    reason: "Reason",
    reasonHint: "Players see this. For example: crashes on worlds from 0.4.6.",
    replacement: "Replacement",
    replacementHint: "Players who open this version are pointed to the replacement.",
    noReplacement: "None",
    security: "This is a security issue",
    securityHint: "All followers of the project are notified, with the reason.",
    securityReason: "Describe the security issue. Your followers will see it.",
    yank: "Yank version",
    unyankTitle: (number: string) => `Restore ${number}`,
    unyankText: "The version is offered again as before.",
    unyank: "Restore version",
    deleteTitle: (number: string) => `Delete ${number}`,
    deleteText:
      "This permanently deletes the version with its files and statistics. Projects that depend on it will no longer find it. To retract a bad release, yank it instead.",
    yankInstead: "Yank instead",
    wrongNumber: "This does not match the version number",
    delete: "Delete version",
  },
  versionLinks: { edit: "Edit", yank: "Yank…", unyank: "Restore…", delete: "Delete…" },
  versionForm: {
    newTitle: "Upload a version",
    editTitle: (number: string) => `Edit ${number}`,
    lead: "Choose a file, and we fill in what we find in it. Check the details, then publish.",
    labels: {
      primaryFile: "File",
      additionalFiles: "More files",
      versionNumber: "Version number",
      title: "Title",
      releaseChannel: "Release channel",
      featured: "Pin to the sidebar",
      loaders: "Loaders",
      gameVersions: "Game versions",
      dependencies: "Dependencies",
      changelog: "Changelog",
      again: "Publish this file again as a new version",
    },
    same: (number: string) => `This file is already published as ${number}`,
    sameText:
      "A version with another number and the same file is rarely what players expect. If you meant to upload another file, choose it above.",
    sameLink: (number: string) => `Open ${number}`,
    sameRefused: (number: string) =>
      `This file is already published as ${number}. Choose another file, or tick the box to publish it again.`,
    additionalHint: "Sources, documentation or another build. Players download the file above.",
    immutable:
      "Published files cannot be changed. To replace a file, upload a new version. Yank this one if it should no longer be used.",
    numberHint: "Leave this empty to read it from the file.",
    titleHint: "Leave this empty to use the project name and version number.",
    featuredHint: "Shows this version beside the description.",
    gameVersionsHint: "Versions you tested",
    more: (series: string, count: number) => `${series} (${count})`,
    wholeFamily: (series: string) => `All of ${series}`,
    range: {
      label: "Range of game versions",
      from: "From",
      to: "To",
      newest: "Newest",
      none: "No range",
      tick: "Tick these versions",
    },
    dependenciesHint:
      "Type a name to search, or enter the last part of a project's URL. Leave the version empty if any version works.",
    addRow: "Add a row",
    depProject: "Project",
    depVersion: "Version (optional)",
    depType: "Type",
    depTypes: {
      required: "Required",
      optional: "Optional",
      incompatible: "Incompatible",
      embedded: "Embedded",
    },
    row: (number: number) => `Dependency ${number}`,
    changelogHint: "Changes since the last version.",
    publish: "Publish version",
    save: "Save version",
    archived: "This project is archived",
    archivedText: "You cannot add versions to an archived project. Change its visibility first.",
    archivedAction: "Go to settings",
    notKept: "The file was not saved. Choose it again.",
    files: "Files of this version",
  },
};
