// German words of the profiles of users.
import { pluralsIn } from "#lib/plurals.js";
import type { Words } from "#words/en/catalogue.js";

const plural = pluralsIn("de");

const defaultRoles = new Map([
  ["Owner", "Inhaber"],
  ["Member", "Mitglied"],
]);

export const users: Words["users"] = {
  shared: {
    all: "Alle",
    byType: "Projekte nach Typ",
    projects: "Projekte",
    projectCount: (count, isOne) => `${count} ${isOne ? "Projekt" : "Projekte"}`,
    downloadCount: (count, isOne) => `${count} ${isOne ? "Download" : "Downloads"}`,
    memberCount: (count, isOne) => `${count} ${isOne ? "Mitglied" : "Mitglieder"}`,
    joined: "Dabei seit",
    feed: "Versions-Feed",
    more: "Mehr",
    report: "Melden",
    copyId: "ID kopieren",
    members: "Mitglieder",
    owner: "Inhaber",
    role: (role) => defaultRoles.get(role) ?? role,
    pending: "Eingeladen",
    facts: "Details",
  },
  user: {
    description: (name, count) => `${name}: ${count} ${plural(count, { one: "Projekt", other: "Projekte" })}.`,
    noProjects: (name) => `${name} hat noch keine Projekte`,
    ownNoProjects: "Du hast noch keine Projekte",
    nothingOfType: "Keine Projekte dieses Typs",
    seeAll: "Alle Projekte ansehen",
    publish: "Projekt veröffentlichen",
    edit: "Profil bearbeiten",
    organizations: "Organisationen",
    collections: "Sammlungen",
    newCollection: "Neue Sammlung",
    moderator: "Moderator",
    admin: "Administrator",
    deletedName: "Gelöschter Benutzer",
    deletedTitle: "Dieses Profil steht für gelöschte Konten",
    deletedText:
      "Ihre Projekte bleiben online, damit nichts ausfällt, was davon abhängt. Die Namen der Benutzer werden nicht aufbewahrt.",
    visibility: { public: "Öffentlich", unlisted: "Nicht gelistet", private: "Privat" },
  },
};
