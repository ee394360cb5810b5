// The words of what waits for a second person in a team.
import { defineTexts } from "#web/texts.js";

export const waitingTexts = defineTexts({
  en: {
    offered: (name: string) => `You offered the ownership to ${name}`,
    offeredBy: (owner: string, name: string) => `${owner} offered the ownership to ${name}`,
    offeredUntil: (when: string) =>
      `Nothing changes before it is accepted. The offer ends on ${when}; until then you can take it back.`,
    withdraw: "Take the offer back",
    offeredToYou: (name: string) => `You can become the owner of ${name}`,
    offeredToYouText: (owner: string, when: string) =>
      `${owner} wants to hand it over. The owner may do everything and answers for it; ${owner} stays as a member without permissions. The offer ends on ${when}.`,
    take: "Take it over",
    decline: "Decline",
    mailed: "Invited by mail",
    mailedAt: "Invited",
    withdrawInvite: "Take the invitation back",
    userName: "User name or e-mail address",
    userNameHint: "To an address goes a mail with a link. You see who it is once the invitation is accepted.",
    userNameOnly: "User name",
    userNameOnlyHint: "As it stands in the address of the user's page.",
    noMail: "This site sends no mail; give the user name instead",
    sentTo: (email: string) => `A mail with the invitation goes to ${email}.`,
    invitation: (name: string) => `Invitation to ${name}`,
    invitationLead: (by: string) => (by === "" ? "You are invited to the team." : `${by} invites you to the team.`),
    invitationAs: (role: string) => `Your role would be: ${role}.`,
    accept: "Accept",
    gone: "This invitation is not open any more",
    goneLead: "It was answered, taken back, or is older than 30 days. Ask whoever invited you for a new one.",
    goneLink: "To your dashboard",
    undo: "Undo the move",
    moved: (org: string) => `You moved this project to ${org}`,
    movedName: (project: string, org: string) => `You moved ${project} to ${org}`,
    undoUntil: (when: string) =>
      `Until ${when} you can take it back: the project leaves the organization, and its team is as it was before.`,
    undoTitle: "Undo the move?",
    undoLead: (project: string, org: string) =>
      `${project} leaves ${org}. Its members lose their rights in it, and the team it had before has them again.`,
  },
  de: {
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
});
