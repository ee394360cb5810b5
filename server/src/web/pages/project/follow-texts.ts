// The words about following a project.
import { defineTexts } from "#web/texts.js";

export const followTexts = defineTexts({
  en: {
    title: (name: string) => `Follow ${name}`,
    lead: "You find it again in your library, and are told of new versions.",
    updates: "You are told of:",
    change: "change",
    told: { default: "what your settings say", all: "every new version", none: "nothing" },
    which: "Tell me of",
    choices: {
      default: "What my notification settings say",
      all: "Every new version",
      setup: (setup: string) => `Versions for my setup: ${setup}`,
      none: "Nothing; I only want to find it again",
    },
    channel: "Release channels",
    channelHint: "Counts for versions for your setup.",
    upTo: {
      dev: "All of them",
      alpha: "Releases, betas and alphas",
      beta: "Releases and betas",
      release: "Releases only",
    },
    noSetup: "Choose your setup to be told of versions for it only.",
    follow: "Follow",
    done: {
      follow: (name: string) => `You follow ${name} now.`,
      unfollow: (name: string) => `You do not follow ${name} any more.`,
    },
    save: "Save",
  },
  de: {
    title: (name) => `${name} folgen`,
    lead: "Du findest es in deiner Bibliothek wieder und erfährst von neuen Versionen.",
    updates: "Du erfährst von:",
    change: "ändern",
    told: { default: "dem, was deine Einstellungen sagen", all: "jeder neuen Version", none: "nichts" },
    which: "Sag mir Bescheid über",
    choices: {
      default: "Das, was meine Einstellungen sagen",
      all: "Jede neue Version",
      setup: (setup) => `Versionen für mein Setup: ${setup}`,
      none: "Nichts; ich will es nur wiederfinden",
    },
    channel: "Kanäle",
    channelHint: "Gilt für Versionen für dein Setup.",
    upTo: {
      dev: "Alle",
      alpha: "Releases, Betas und Alphas",
      beta: "Releases und Betas",
      release: "Nur Releases",
    },
    noSetup: "Wähle dein Setup, um nur von Versionen dafür zu erfahren.",
    follow: "Folgen",
    done: {
      follow: (name) => `Du folgst ${name} jetzt.`,
      unfollow: (name) => `Du folgst ${name} nicht mehr.`,
    },
    save: "Speichern",
  },
});
