// English words of what waits for an answer of a team member.

export const teams = {
  waiting: {
    offered: (name: string) => `You offered ownership to ${name}`,
    offeredBy: (owner: string, name: string) => `${owner} offered ownership to ${name}`,
    offeredUntil: (when: string) =>
      `Nothing changes until the offer is accepted. It expires on ${when}. You can withdraw it before then.`,
    withdraw: "Withdraw offer",
    offeredToYou: (name: string) => `You are offered ownership of ${name}`,
    offeredToYouText: (owner: string, when: string) =>
      `${owner} wants to transfer ownership to you. The owner has all permissions and is responsible for it. ${owner} stays a member, without permissions. The offer expires on ${when}.`,
    take: "Accept ownership",
    decline: "Decline",
    mailed: "Invited by email",
    mailedAt: "Invited",
    withdrawInvite: "Withdraw invitation",
    userName: "Username or email address",
    userNameHint: "An email address gets a link. You see who the person is once they accept.",
    userNameOnly: "Username",
    userNameOnlyHint: "As shown in the URL of the user's profile.",
    noMail: "This site does not send email. Enter a username instead",
    invitation: (name: string) => `Invitation to ${name}`,
    invitationLead: (by: string) =>
      by === "" ? "You are invited to join the team." : `${by} invited you to join the team.`,
    invitationAs: (role: string) => `Your role would be: ${role}.`,
    accept: "Accept",
    gone: "This invitation is no longer valid",
    goneLead: "It was already answered, was withdrawn, or is older than 30 days. Ask for a new one.",
    goneLink: "Go to your dashboard",
    undo: "Undo move",
    moved: (org: string) => `You moved this project to ${org}`,
    movedName: (project: string, org: string) => `You moved ${project} to ${org}`,
    undoUntil: (when: string) =>
      `You can undo this until ${when}. The project then leaves the organization and gets its previous team back.`,
    undoTitle: "Undo move?",
    undoLead: (project: string, org: string) =>
      `${project} leaves ${org}. The organization's members lose their permissions in it, and the project gets its previous team back.`,
  },
};
