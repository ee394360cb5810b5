// The words about builds that publish without a key.
import { defineTexts } from "#web/texts.js";

export const trustedTexts = defineTexts({
  en: {
    title: "Trusted publishers",
    lead: "Without any key: the build service vouches for the build, and this site gives it a token that publishes versions of this project for 15 minutes. There is nothing to store, to renew or to lose.",
    none: "No builds are trusted yet.",
    addTitle: "Trust a build",
    add: "Trust it",
    labels: {
      issuer: "Build service",
      repository: "Repository",
      workflow: "Workflow file",
      environment: "Environment",
    },
    hints: {
      repository: "Owner and name, for example octocat/better-grass.",
      workflow: "GitHub: the name of the file in .github/workflows. GitLab: its path, usually .gitlab-ci.yml.",
      environment: "May stay empty. If given, only builds in it may publish; protect it with your build service.",
    },
    workflow: "The workflow, ready to be copied",
    remove: "Remove",
    unused: "never used",
    lastUsed: "last used",
    addedBy: (name: string) => `added by ${name}`,
    distrusted: "This build service is not trusted here any more",
  },
  de: {
    title: "Vertraute Builds",
    lead: "Ganz ohne Schlüssel: Der Build-Dienst bürgt für den Build, und diese Seite gibt ihm ein Token, das 15 Minuten lang Versionen dieses Projekts veröffentlicht. Es gibt nichts zu hinterlegen, zu erneuern oder zu verlieren.",
    none: "Noch wird keinem Build vertraut.",
    addTitle: "Einem Build vertrauen",
    add: "Vertrauen",
    labels: {
      issuer: "Build-Dienst",
      repository: "Repository",
      workflow: "Workflow-Datei",
      environment: "Umgebung",
    },
    hints: {
      repository: "Besitzer und Name, zum Beispiel octocat/better-grass.",
      workflow: "GitHub: der Name der Datei in .github/workflows. GitLab: ihr Pfad, meist .gitlab-ci.yml.",
      environment:
        "Darf leer bleiben. Sonst dürfen nur Builds in ihr veröffentlichen; schütze sie bei deinem Build-Dienst.",
    },
    workflow: "Der Workflow, fertig zum Kopieren",
    remove: "Entfernen",
    unused: "nie benutzt",
    lastUsed: "zuletzt benutzt",
    addedBy: (name) => `hinzugefügt von ${name}`,
    distrusted: "Diesem Build-Dienst wird hier nicht mehr vertraut",
  },
});
