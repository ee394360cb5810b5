// The mails that we send, in the language of their reader. Plain text, short, and each says what to do when it was not you.
import type { Words } from "#words/en/catalogue.js";
import { type Locale, wordsIn } from "#words/languages.js";

export interface MailText {
  subject: string;
  text: string;
}

/** `siteUrl` is the site's address from the configuration, never one taken from a request. */
interface Site {
  siteUrl: string;
  /** The language that the reader has chosen; English where there is none. */
  locale?: Locale | null;
}

interface Recipient extends Site {
  userName: string;
}

interface CodeOnly extends Site {
  code: string;
  validMinutes: number;
}

type WithCode = Recipient & CodeOnly;

export function passwordResetMail(mail: WithCode): MailText {
  const { frame, passwordReset } = wordsFor(mail);
  return mailText(mail, passwordReset.subject, [
    passwordReset.asked,
    linkTo(mail, "/auth/reset"),
    frame.linkWorks(durationOf(mail)),
    passwordReset.ignore,
  ]);
}

export function passwordAdditionMail(mail: WithCode): MailText {
  const { frame, passwordAddition } = wordsFor(mail);
  return mailText(mail, passwordAddition.subject, [
    passwordAddition.asked,
    linkTo(mail, "/auth/confirm-action"),
    frame.linkWorks(durationOf(mail)),
    frame.ignore,
  ]);
}

export function accountDeletionMail(mail: WithCode): MailText {
  const { frame, accountDeletion } = wordsFor(mail);
  return mailText(mail, accountDeletion.subject, [
    accountDeletion.asked,
    linkTo(mail, "/auth/confirm-action"),
    frame.linkWorks(durationOf(mail)),
    accountDeletion.ignore,
  ]);
}

export function emailChangeMail(mail: WithCode): MailText {
  const { frame, emailChange } = wordsFor(mail);
  return mailText(mail, emailChange.subject, [
    emailChange.asked,
    linkTo(mail, "/auth/verify"),
    emailChange.linkWorks(durationOf(mail)),
    frame.ignore,
  ]);
}

/** To the address that an account was just made with. */
export function addressConfirmationMail(mail: WithCode): MailText {
  const { addressConfirmation: t } = wordsFor(mail);
  return mailText(mail, t.subject, [t.asked, linkTo(mail, "/auth/verify"), t.linkWorks(durationOf(mail)), t.ignore]);
}

/** To the owner of an address that was given for another account. Only they learn that they have one. */
export function addressTakenMail(mail: Recipient & { otherName: string }): MailText {
  const { userName, otherName } = mail;
  const { addressTaken: t } = wordsFor(mail);
  return mailText(mail, t.subject, [
    t.asked(otherName, userName),
    t.signIn(userName, atSite(mail, "/auth/reset")),
    t.both(otherName),
    t.ignore,
  ]);
}

/** Goes to the old address, where the rightful owner still reads. */
export function emailChangedMail(mail: Recipient): MailText {
  const { frame, emailChanged } = wordsFor(mail);
  return mailText(mail, emailChanged.subject, [emailChanged.changed, frame.ifYou, emailChanged.ifNot]);
}

export function passwordChangedMail(mail: Recipient): MailText {
  const { frame, passwordChanged: t } = wordsFor(mail);
  return mailText(mail, t.subject, [t.changed, frame.ifYou, t.ifNot(atSite(mail, "/auth/reset"))]);
}

/** To an address that may belong to nobody here. The names are chosen by users, and kept out of the subject. */
export function invitationMail(mail: Site & { code: string; name: string; invitedBy: string }): MailText {
  const { invitation: t } = wordsFor(mail);
  return mailText(mail, t.subject, [
    t.invites(mail.invitedBy, mail.name),
    linkTo(mail, "/auth/invitation"),
    t.account,
    t.ignore,
  ]);
}

/** To an address that somebody has typed who has no account. */
export function guestReportMail(mail: CodeOnly): MailText {
  const { frame, guestReport: t } = wordsFor(mail);
  return mailText(mail, t.subject, [
    t.asked,
    linkTo(mail, "/report/confirm"),
    frame.linkWorks(durationOf(mail)),
    t.ignore,
  ]);
}

/** `name` is chosen by users, and absent where the thing is gone; `message` is what moderators say. */
export function reportClosedMail(
  mail: Site & {
    name: string | undefined;
    outcome: keyof Words["mails"]["reportClosed"]["outcomes"] | null;
    message: string;
  },
): MailText {
  const { name, outcome, message } = mail;
  const { reportClosed: t } = wordsFor(mail);
  return mailText(mail, t.subject, [
    name === undefined ? t.closedGone : t.closed(name),
    ...(outcome ? [t.outcomes[outcome]] : []),
    ...(message === "" ? [] : [t.say, message]),
    t.thanks,
  ]);
}

/** Program, system and address are null where they are not known. */
export function newSessionMail(
  mail: Recipient & {
    code: string;
    browser: string | null;
    system: string | null;
    address: string | null;
    when: string;
  },
): MailText {
  const { browser, system, address, when } = mail;
  const { frame, newSession: t } = wordsFor(mail);
  const device = browser && system ? t.device(browser, system) : (browser ?? system ?? t.unknownProgram);
  return mailText(mail, t.subject, [
    t.signedIn(when, device, address ?? t.unknownAddress),
    frame.ifYou,
    t.ifNot,
    linkTo(mail, "/auth/revoke-session"),
    t.all(atSite(mail, "/settings/sessions")),
  ]);
}

export function tokenExpiryMail(mail: Recipient & { name: string; daysLeft: number; expires: string }): MailText {
  const { daysLeft, expires } = mail;
  const { tokenExpiry: t } = wordsFor(mail);
  // A token's name may hold anything, also line breaks; a paragraph may not.
  const name = mail.name.replaceAll(/[\p{Cc}\u2028\u2029]/gu, " ");
  return mailText(mail, daysLeft === 0 ? t.subjectPast : t.subject, [
    daysLeft === 0 ? t.stopped(name, expires) : t.stops(name, expires),
    t.more(atSite(mail, "/settings/pats")),
    t.nothing,
  ]);
}

const wordsFor = ({ locale }: Site): Words["mails"] => wordsIn(locale ?? "en").mails;

function mailText(mail: Site & { userName?: string }, subject: string, paragraphs: string[]): MailText {
  const { frame } = wordsFor(mail);
  const hello = mail.userName ? frame.helloName(mail.userName) : frame.hello;
  return { subject, text: `${[hello, ...paragraphs, `-- \n${atSite(mail, "/")}`].join("\n\n")}\n` };
}

const linkTo = (mail: Site & { code: string }, path: string): string =>
  `${atSite(mail, path)}?code=${encodeURIComponent(mail.code)}`;

// The site may live below a path of its host, so the base is kept whole.
const atSite = ({ siteUrl }: Site, path: string): string => siteUrl.replace(/\/+$/, "") + path;

function durationOf(mail: CodeOnly): string {
  const { frame } = wordsFor(mail);
  const { validMinutes } = mail;
  return validMinutes % 60 === 0 ? frame.hours(validMinutes / 60) : frame.minutes(validMinutes);
}
