// German words of what waits for an answer of a team member.
import type { Words } from "#words/en/catalogue.js";

export const teams: Words["teams"] = {
  waiting: {
    offered: (name) => `Du hast ${name} die Inhaberschaft angeboten`,
    offeredBy: (owner, name) => `${owner} hat ${name} die Inhaberschaft angeboten`,
    offeredUntil: (when) =>
      `Bis das Angebot angenommen wird, ändert sich nichts. Es endet am ${when}; bis dahin kannst du es zurücknehmen.`,
    withdraw: "Angebot zurücknehmen",
    offeredToYou: (name) => `Du kannst ${name} übernehmen`,
    offeredToYouText: (owner, when) =>
      `${owner} möchte es dir übergeben. Wem es gehört, der darf alles und steht dafür ein; ${owner} bleibt als Mitglied ohne Rechte. Das Angebot endet am ${when}.`,
    take: "Übernehmen",
    decline: "Ablehnen",
    mailed: "Per E-Mail eingeladen",
    mailedAt: "Eingeladen",
    withdrawInvite: "Einladung zurücknehmen",
    userName: "Benutzername oder E-Mail-Adresse",
    userNameHint:
      "An eine Adresse geht eine Mail mit einem Link. Wer es ist, siehst du, sobald die Einladung angenommen ist.",
    userNameOnly: "Benutzername",
    userNameOnlyHint: "Wie er in der Adresse der Benutzerseite steht.",
    noMail: "Diese Seite verschickt keine Mails; gib den Benutzernamen an",
    sentTo: (email) => `Eine Mail mit der Einladung geht an ${email}.`,
    invitation: (name) => `Einladung zu ${name}`,
    invitationLead: (by) => (by === "" ? "Du bist in das Team eingeladen." : `${by} lädt dich in das Team ein.`),
    invitationAs: (role) => `Deine Rolle wäre: ${role}.`,
    accept: "Annehmen",
    gone: "Diese Einladung ist nicht mehr offen",
    goneLead: "Sie wurde beantwortet, zurückgenommen oder ist älter als 30 Tage. Bitte um eine neue.",
    goneLink: "Zu deiner Übersicht",
    undo: "Verschieben rückgängig machen",
    moved: (org) => `Du hast dieses Projekt zu ${org} verschoben`,
    movedName: (project, org) => `Du hast ${project} zu ${org} verschoben`,
    undoUntil: (when) =>
      `Bis ${when} kannst du das zurücknehmen: Das Projekt verlässt die Organisation, und sein Team ist wie vorher.`,
    undoTitle: "Verschieben rückgängig machen?",
    undoLead: (project, org) =>
      `${project} verlässt ${org}. Deren Mitglieder verlieren ihre Rechte daran, und das Team von vorher hat sie wieder.`,
  },
};
