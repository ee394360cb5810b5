// English words of the first-run setup.

export const setup = {
  steps: {
    title: "Set up this site",
    step: (at: number, name: string) => `Step\u00a0${at}\u00a0of\u00a03: ${name}`,
    steps: { admin: "Administrator", site: "Site", content: "Content" },
    adminLead: "Create the first administrator. The link that brought you here works only once.",
    make: "Create administrator",
    userName: "Username",
    userNameHint: "2 to 32 letters, digits, _ or -. Everyone can see it.",
    email: "Email",
    emailHint: "For password resets. It is never shown to others.",
    password: "Password",
    newLinkTitle: "How to get a new link",
    newLink: (run: string, create: string) =>
      `Run \`${run}\` on the server, or restart the server and look in its log. To create an administrator without this page, run \`${create}\`.`,
    linkNeeded: "You need the one-time setup link from the server's log to create the first administrator.",
    deadTitle: "This setup link does not work",
    deadLead: "It may be mistyped, already used, or older than an hour.",
    siteLead: "You can change all of this later under Administration.",
    address: "Site URL",
    addressFits: (url: string) => `${url}, which matches your browser.`,
    addressDiffers: (configured: string, seen: string) =>
      `The configured URL is ${configured}, but you are at ${seen}. Links, cookies and sign-in need the correct URL.`,
    addressTodo: "Add this to the config file or the environment, then restart the server:",
    next: "Continue",
    skip: "Skip",
    contentLead:
      "Choose the project types, loaders and game versions of your site. You can edit them at any time under Administration.",
    preset: "Start with",
    presets: {
      included: "Cosmic Reach (default)",
      minecraft: "A game like Minecraft: loaders, plugins, data packs",
      luanti: "A game like Luanti: mods, games, texture packs",
      factory: "A factory game: mods, scenarios, mod packs, worlds",
      blank: "Minimal: one type, one game version",
      file: "My own file",
    },
    file: "Taxonomy file",
    fileHint: "YAML or JSON, as exported under Administration, Taxonomy",
    fileMissing: "Choose a file",
    fileWrong: (line: number, message: string) => `Line ${line}: ${message}`,
    locked: (file: string) => `The taxonomy comes from the file ${file}. Edit that file and restart the server`,
    inUse: "Projects already use the current taxonomy. Edit it under Administration, Taxonomy.",
    finish: "Finish",
  },
};
