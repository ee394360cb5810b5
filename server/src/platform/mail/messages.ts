// The texts of the mails we send. Plain text, short, and each says what to do when it was not you.

export interface MailText {
  subject: string;
  text: string;
}

/** `siteUrl` is the site's address from the configuration, never one taken from a request. */
interface Recipient {
  siteUrl: string;
  userName: string;
}

interface WithCode extends Recipient {
  code: string;
  validMinutes: number;
}

export function passwordResetMail({ siteUrl, userName, code, validMinutes }: WithCode): MailText {
  return mailText(siteUrl, userName, "Choose a new password", [
    "Someone, hopefully you, asked for a new password for your account. Choose one here:",
    linkTo(siteUrl, "/auth/reset", code),
    `The link works once, within ${duration(validMinutes)}.`,
    "If you did not ask for it, ignore this mail: your password stays as it is.",
  ]);
}

export function passwordAdditionMail({ siteUrl, userName, code, validMinutes }: WithCode): MailText {
  return mailText(siteUrl, userName, "Confirm your new password", [
    "Someone, hopefully you, has chosen a password for your account, which had none. Confirm it here:",
    linkTo(siteUrl, "/auth/confirm-action", code),
    `The link works once, within ${duration(validMinutes)}.`,
    "If you did not ask for it, ignore this mail: nothing will change.",
  ]);
}

export function accountDeletionMail({ siteUrl, userName, code, validMinutes }: WithCode): MailText {
  return mailText(siteUrl, userName, "Confirm that your account is to be deleted", [
    "Someone, hopefully you, asked to delete your account. This cannot be undone. Confirm it here:",
    linkTo(siteUrl, "/auth/confirm-action", code),
    `The link works once, within ${duration(validMinutes)}.`,
    "If you did not ask for it, ignore this mail, and choose a new password: somebody is signed in to your account.",
  ]);
}

export function emailChangeMail({ siteUrl, userName, code, validMinutes }: WithCode): MailText {
  return mailText(siteUrl, userName, "Confirm your new e-mail address", [
    "Please confirm that this is the new e-mail address of your account:",
    linkTo(siteUrl, "/auth/verify", code),
    `The link works once, within ${duration(validMinutes)}. Until then your old address stays in use.`,
    "If you did not ask for it, ignore this mail: nothing will change.",
  ]);
}

/** To the address that an account was just made with. */
export function addressConfirmationMail({ siteUrl, userName, code, validMinutes }: WithCode): MailText {
  return mailText(siteUrl, userName, "Confirm your e-mail address", [
    "Someone, hopefully you, has made this account with your e-mail address. Please confirm that it is yours:",
    linkTo(siteUrl, "/auth/verify", code),
    `The link works once, within ${duration(validMinutes)}. Until then the account cannot publish anything.`,
    "If you did not make the account, ignore this mail: your address stays free for you.",
  ]);
}

/** To the owner of an address that was given for another account. Only they learn that they have one. */
export function addressTakenMail({ siteUrl, userName, otherName }: Recipient & { otherName: string }): MailText {
  return mailText(siteUrl, userName, "You have an account already", [
    `Someone, hopefully you, has given your e-mail address for the account ${otherName}. The address belongs to your account ${userName}, so it cannot be used there.`,
    `Sign in as ${userName} instead. If you do not remember the password, choose a new one: ${atSite(siteUrl, "/auth/reset")}`,
    `To use both accounts, give ${otherName} another address in its settings.`,
    "If it was not you, ignore this mail: nothing about your account has changed.",
  ]);
}

/** Goes to the old address, where the rightful owner still reads. */
export function emailChangedMail({ siteUrl, userName }: Recipient): MailText {
  return mailText(siteUrl, userName, "Your e-mail address was changed", [
    "Your account has a new e-mail address. This is the last mail to the old one.",
    "If that was you, all is well.",
    "If it was not, someone else is in your account: write to the people who run this site at once.",
  ]);
}

export function passwordChangedMail({ siteUrl, userName }: Recipient): MailText {
  return mailText(siteUrl, userName, "Your password was changed", [
    "The password of your account has just been changed. All other sessions were signed out, and the access tokens that were not kept stopped working.",
    "If that was you, all is well.",
    `If it was not, choose a new password now: ${atSite(siteUrl, "/auth/reset")}`,
  ]);
}

/** To an address that may belong to nobody here. The names are chosen by users, and kept out of the subject. */
export function invitationMail(invitation: {
  siteUrl: string;
  code: string;
  name: string;
  invitedBy: string;
}): MailText {
  const { siteUrl, code, name, invitedBy } = invitation;
  return mailText(siteUrl, "", "You are invited to a team", [
    `${invitedBy} invites you to work on ${name}. See the invitation here, and accept or decline it:`,
    linkTo(siteUrl, "/auth/invitation", code),
    "You need an account for that; the page lets you make one. The invitation waits for 30 days.",
    "If you do not know what this is about, ignore this mail: nothing will happen.",
  ]);
}

/** To an address that somebody has typed who has no account. */
export function guestReportMail({ siteUrl, code, validMinutes }: Omit<WithCode, "userName">): MailText {
  return mailText(siteUrl, "", "Confirm your report", [
    "Someone, hopefully you, wants to report something on this site. Look at the report here, and send it:",
    linkTo(siteUrl, "/report/confirm", code),
    `The link works once, within ${duration(validMinutes)}.`,
    "If you did not ask for it, ignore this mail: nothing will be sent.",
  ]);
}

const outcomeSentences = {
  action_taken: "They have done something about it.",
  no_violation: "They have found nothing that breaks the rules.",
  other: "They have dealt with it in another way.",
} as const;

/** `name` is chosen by users, and absent where the thing is gone; `message` is what moderators say. */
export function reportClosedMail(report: {
  siteUrl: string;
  name: string | undefined;
  outcome: keyof typeof outcomeSentences | null;
  message: string;
}): MailText {
  const { siteUrl, name, outcome, message } = report;
  return mailText(siteUrl, "", "Your report was looked at", [
    name === undefined
      ? "Moderators have closed your report. What you reported is gone by now."
      : `Moderators have closed your report about ${name}.`,
    ...(outcome ? [outcomeSentences[outcome]] : []),
    ...(message === "" ? [] : ["They say:", message]),
    "Thank you for telling us. This mail cannot be answered.",
  ]);
}

export function newSessionMail(
  session: Recipient & { code: string; device: string; address: string; when: string },
): MailText {
  const { siteUrl, userName, code, device, address, when } = session;
  return mailText(siteUrl, userName, "New sign-in to your account", [
    `Somebody signed in to your account on ${when}, with ${device}, from ${address}.`,
    "If that was you, all is well.",
    "If it was not, end that session here, and choose a new password afterwards:",
    linkTo(siteUrl, "/auth/revoke-session", code),
    `All your sessions: ${atSite(siteUrl, "/settings/sessions")}`,
  ]);
}

export function tokenExpiryMail(token: Recipient & { name: string; daysLeft: number; expires: string }): MailText {
  const { siteUrl, userName, daysLeft, expires } = token;
  // A token's name may hold anything, also line breaks; a paragraph may not.
  const name = token.name.replaceAll(/[\p{Cc}\u2028\u2029]/gu, " ");
  const [subject, sentence] =
    daysLeft === 0
      ? ["A token of yours has stopped working", `Your token "${name}" stopped working on ${expires}.`]
      : ["A token of yours is about to stop working", `Your token "${name}" stops working on ${expires}.`];
  return mailText(siteUrl, userName, subject!, [
    sentence!,
    `Give it more time, or make a new one: ${atSite(siteUrl, "/settings/pats")}`,
    "If you need it no more, there is nothing to do.",
  ]);
}

function mailText(siteUrl: string, userName: string, subject: string, paragraphs: string[]): MailText {
  const text = [userName === "" ? "Hello," : `Hello ${userName},`, ...paragraphs, `-- \n${atSite(siteUrl, "/")}`].join(
    "\n\n",
  );
  return { subject, text: `${text}\n` };
}

function linkTo(siteUrl: string, path: string, code: string): string {
  return `${atSite(siteUrl, path)}?code=${encodeURIComponent(code)}`;
}

// The site may live below a path of its host, so the base is kept whole.
function atSite(siteUrl: string, path: string): string {
  return siteUrl.replace(/\/+$/, "") + path;
}

function duration(minutes: number): string {
  if (minutes % 60 !== 0) return minutes === 1 ? "1 minute" : `${minutes} minutes`;
  return minutes === 60 ? "1 hour" : `${minutes / 60} hours`;
}
