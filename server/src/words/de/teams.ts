// German words of what waits for an answer of a team member.
import type { Words } from "#words/en/catalogue.js";

export const teams: Words["teams"] = {
  waiting: {
    offered: (name) => `Du hast ${name} die Inhaberschaft angeboten`,
    offeredBy: (owner, name) => `${owner} hat ${name} die Inhaberschaft angeboten`,
    offeredUntil: (when) =>
      `Bis das Angebot angenommen wird, ändert sich nichts. Es läuft am ${when} ab. Bis dahin kannst du es zurückziehen.`,
    withdraw: "Angebot zurückziehen",
    offeredToYou: (name) => `Dir wird die Inhaberschaft von ${name} angeboten`,
    offeredToYouText: (owner, when) =>
      `${owner} möchte dir die Inhaberschaft übertragen. Der Inhaber hat alle Rechte und trägt die Verantwortung. ${owner} bleibt Mitglied, ohne Rechte. Das Angebot läuft am ${when} ab.`,
    take: "Inhaberschaft annehmen",
    decline: "Ablehnen",
    mailed: "Per E-Mail eingeladen",
    mailedAt: "Eingeladen",
    withdrawInvite: "Einladung zurückziehen",
    userName: "Benutzername oder E-Mail-Adresse",
    userNameHint:
      "An eine E-Mail-Adresse schicken wir einen Link. Wer es ist, siehst du, sobald die Einladung angenommen wird.",
    userNameOnly: "Benutzername",
    userNameOnlyHint: "Wie er in der URL des Benutzerprofils steht.",
    noMail: "Diese Website verschickt keine E-Mails. Gib stattdessen einen Benutzernamen ein",
    invitation: (name) => `Einladung zu ${name}`,
    invitationLead: (by) => (by === "" ? "Du bist in das Team eingeladen." : `${by} hat dich in das Team eingeladen.`),
    invitationAs: (role) => `Deine Rolle wäre: ${role}.`,
    accept: "Annehmen",
    gone: "Diese Einladung ist nicht mehr gültig",
    goneLead: "Sie wurde schon beantwortet oder zurückgezogen, oder sie ist älter als 30 Tage. Bitte um eine neue.",
    goneLink: "Zum Dashboard",
    undo: "Verschieben rückgängig machen",
    moved: (org) => `Du hast dieses Projekt zu ${org} verschoben`,
    movedName: (project, org) => `Du hast ${project} zu ${org} verschoben`,
    undoUntil: (when) =>
      `Bis ${when} kannst du das rückgängig machen. Das Projekt verlässt dann die Organisation und bekommt sein früheres Team zurück.`,
    undoTitle: "Verschieben rückgängig machen?",
    undoLead: (project, org) =>
      `${project} verlässt ${org}. Die Mitglieder der Organisation verlieren ihre Rechte daran, und das Projekt bekommt sein früheres Team zurück.`,
  },
};
