// The words about one's own projects, and about changing several of them.
import { defineTexts } from "#web/texts.js";

export const ownProjectTexts = defineTexts({
  en: {
    lastVersion: (number: string) => `last version ${number}`,
    noVersion: "no version yet",
    choose: "Choose",
    bulk: "Change several at once",
    bulkLead: "For all projects that are ticked above. What you leave empty stays as it is in each of them.",
    asItIs: "As it is",
    links: {
      issueTracker: "Issue tracker",
      sourceCode: "Source code",
      wikiPage: "Wiki",
      discordServer: "Discord server",
    },
    clearLink: (name: string) => `Take the link out: ${name}`,
    bulkSave: "Change the ticked projects",
    bulkNone: "Tick at least one project",
    bulkFailed: "These were not changed",
    bulkDone: (count: number) => (count === 1 ? "1 project was changed." : `${count} projects were changed.`),
    deleted: "The project is deleted.",
    left: "You have left the team.",
  },
  de: {
    lastVersion: (number) => `letzte Version ${number}`,
    noVersion: "noch keine Version",
    choose: "Auswählen",
    bulk: "Mehrere auf einmal ändern",
    bulkLead: "Für alle Projekte, die oben angekreuzt sind. Was du leer lässt, bleibt in jedem wie es ist.",
    asItIs: "Wie es ist",
    links: {
      issueTracker: "Fehlermeldungen",
      sourceCode: "Quelltext",
      wikiPage: "Wiki",
      discordServer: "Discord-Server",
    },
    clearLink: (name) => `Verweis herausnehmen: ${name}`,
    bulkSave: "Angekreuzte Projekte ändern",
    bulkNone: "Kreuze mindestens ein Projekt an",
    bulkFailed: "Diese wurden nicht geändert",
    bulkDone: (count) => (count === 1 ? "1 Projekt wurde geändert." : `${count} Projekte wurden geändert.`),
    deleted: "Das Projekt ist gelöscht.",
    left: "Du hast das Team verlassen.",
  },
});
