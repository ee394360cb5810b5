// English words of the first-run setup.

export const setup = {
  steps: {
    title: "Set up this site",
    step: (at: number, name: string) => `Step\u00a0${at}\u00a0of\u00a03: ${name}`,
    steps: { admin: "Administrator", site: "Site", content: "Content" },
    adminLead: "This makes the first administrator. The link that brought you here works once.",
    make: "Make the administrator",
    userName: "User name",
    userNameHint: "2 to 32 letters, digits, _ or -. Everybody sees it.",
    email: "E-mail",
    emailHint: "For password resets. Nobody else sees it.",
    password: "Password",
    newLinkTitle: "How to get a new link",
    newLink: (run: string, create: string) =>
      `Run ${run} on the server, or restart it and look into its log. ${create} makes an administrator without this page.`,
    linkNeeded: "The one-time link that makes the first administrator is in the server's log.",
    deadTitle: "This setup link does not work",
    deadLead: "It is mistyped, was used already, or is older than an hour.",
    siteLead: "You can change all of this later, under Administration.",
    address: "Address of the site",
    addressFits: (url: string) => `${url}, which is where you are now.`,
    addressDiffers: (configured: string, seen: string) =>
      `The settings say ${configured}, but you are at ${seen}. Links, cookies and sign-in need the right one.`,
    addressTodo: "Put this into the config file or the environment, and restart the server:",
    next: "Go on",
    skip: "Skip this",
    contentLead:
      "What kinds of projects there are, for which loaders and game versions. It can be edited at any time under Administration.",
    preset: "Begin with",
    presets: {
      included: "Cosmic Reach: what comes along",
      minecraft: "A game like Minecraft: loaders, plugins, data packs",
      luanti: "A game like Luanti: mods, games, texture packs",
      blank: "Almost nothing: one type, one game version",
      file: "A file of my own",
    },
    file: "Taxonomy file",
    fileHint: "YAML or JSON, as exported under Administration, Taxonomy",
    fileMissing: "Choose a file",
    fileWrong: (line: number, message: string) => `Line ${line}: ${message}`,
    locked: (file: string) => `The content comes from the file ${file}; change that, and restart the server`,
    inUse: "There are projects already: what they use would be lost, so change it under Administration, Taxonomy.",
    finish: "Finish",
  },
};
