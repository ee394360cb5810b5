// English words of what waits for an answer of a team member.

export const teams = {
  waiting: {
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
};
