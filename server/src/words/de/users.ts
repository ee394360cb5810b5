// German words of the profiles of users.
import type { Words } from "#words/en/catalogue.js";

export const users: Words["users"] = {
  shared: {
    all: "Alle",
    byType: "Projekte nach Art",
    projects: "Projekte",
    projectCount: (count, isOne) => `${count} ${isOne ? "Projekt" : "Projekte"}`,
    downloadCount: (count, isOne) => `${count} ${isOne ? "Download" : "Downloads"}`,
    memberCount: (count, isOne) => `${count} ${isOne ? "Mitglied" : "Mitglieder"}`,
    joined: "Dabei seit",
    feed: "Feed neuer Versionen",
    report: "Melden",
    copyId: "Id kopieren",
    members: "Mitglieder",
    owner: "Inhaber",
    pending: "Eingeladen",
    facts: "Angaben",
  },
  user: {
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
};
