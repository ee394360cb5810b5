// The words of an organization's page.
import { defineTexts } from "#web/texts.js";

export const orgTexts = defineTexts({
  en: {
    description: (name: string, count: number) => `${name}: ${count} ${count === 1 ? "project" : "projects"}.`,
    nothing: "This organization has no projects yet",
    nothingOfType: "Nothing of this type",
    seeAll: "See all projects",
    addProject: "Add a project",
    settings: "Settings",
    invited: (name: string) => `You are invited to ${name}`,
    invitedText: "Members work on the projects of the organization, as far as its owner allows.",
    accept: "Accept",
    decline: "Decline",
  },
  de: {
    description: (name, count) => `${name}: ${count} ${count === 1 ? "Projekt" : "Projekte"}.`,
    nothing: "Diese Organisation hat noch keine Projekte",
    nothingOfType: "Nichts von dieser Art",
    seeAll: "Alle Projekte ansehen",
    addProject: "Projekt hinzufügen",
    settings: "Einstellungen",
    invited: (name) => `Du bist zu ${name} eingeladen`,
    invitedText: "Mitglieder arbeiten an den Projekten der Organisation, soweit der Inhaber es erlaubt.",
    accept: "Annehmen",
    decline: "Ablehnen",
  },
});
