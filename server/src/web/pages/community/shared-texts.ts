// Words that the pages of users, organizations and collections share.
import { defineTexts } from "#web/texts.js";

export const sharedTexts = defineTexts({
  en: {
    all: "All",
    byType: "Projects by type",
    projects: "Projects",
    projectCount: (count: string, isOne: boolean) => `${count} ${isOne ? "project" : "projects"}`,
    downloadCount: (count: string, isOne: boolean) => `${count} ${isOne ? "download" : "downloads"}`,
    memberCount: (count: string, isOne: boolean) => `${count} ${isOne ? "member" : "members"}`,
    joined: "Joined",
    feed: "Feed of new versions",
    report: "Report",
    copyId: "Copy id",
    members: "Members",
    owner: "Owner",
    pending: "Invited",
    facts: "Facts",
  },
  de: {
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
});
