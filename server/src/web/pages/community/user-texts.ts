// The words of a user's page.
import { defineTexts } from "#web/texts.js";

export const userTexts = defineTexts({
  en: {
    description: (name: string, count: number) => `${name}: ${count} ${count === 1 ? "project" : "projects"}.`,
    noProjects: (name: string) => `${name} has published nothing yet`,
    ownNoProjects: "You have published nothing yet",
    nothingOfType: "Nothing of this type",
    seeAll: "See all projects",
    publish: "Publish a project",
    edit: "Edit profile",
    organizations: "Organizations",
    collections: "Collections",
    newCollection: "New collection",
    moderator: "Moderator",
    admin: "Administrator",
    deletedName: "Deleted user",
    deletedTitle: "This stands for people who have deleted their accounts",
    deletedText: "What they published stays, so that nothing that builds on it breaks. Who they were is not kept.",
    visibility: { public: "Public", unlisted: "Unlisted", private: "Private" },
  },
  de: {
    description: (name, count) => `${name}: ${count} ${count === 1 ? "Projekt" : "Projekte"}.`,
    noProjects: (name) => `${name} hat noch nichts veröffentlicht`,
    ownNoProjects: "Du hast noch nichts veröffentlicht",
    nothingOfType: "Nichts von dieser Art",
    seeAll: "Alle Projekte ansehen",
    publish: "Projekt veröffentlichen",
    edit: "Profil bearbeiten",
    organizations: "Organisationen",
    collections: "Sammlungen",
    newCollection: "Neue Sammlung",
    moderator: "Moderation",
    admin: "Verwaltung",
    deletedName: "Gelöschtes Konto",
    deletedTitle: "Dies steht für Leute, die ihr Konto gelöscht haben",
    deletedText:
      "Was sie veröffentlicht haben, bleibt, damit nichts bricht, das darauf baut. Wer sie waren, wird nicht aufbewahrt.",
    visibility: { public: "Öffentlich", unlisted: "Nicht gelistet", private: "Privat" },
  },
});
