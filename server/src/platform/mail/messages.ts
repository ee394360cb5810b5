// The mails of the service, in the language of their reader: plain text, short, and with advice for unexpected mails.
import type { Words } from "#words/en/catalogue.js";
import { type Locale, wordsIn } from "#words/languages.js";

export interface MailText {
  subject: string;
  text: string;
}

/** `siteUrl` is the site's URL from the configuration, never one from a request. */
interface Site {
  siteUrl: string;
  /** The language that the reader has chosen; English by default. */
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

/** Sent to the address of a new account. */
export function addressConfirmationMail(mail: WithCode): MailText {
  const { addressConfirmation: t } = wordsFor(mail);
  return mailText(mail, t.subject, [t.asked, linkTo(mail, "/auth/verify"), t.linkWorks(durationOf(mail)), t.ignore]);
}

/** Sent to the owner of an address that was given for another account. Only they learn that an account exists. */
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

/** Sent to the old address, which the rightful owner can still read. */
export function emailChangedMail(mail: Recipient): MailText {
  const { frame, emailChanged } = wordsFor(mail);
  return mailText(mail, emailChanged.subject, [emailChanged.changed, frame.ifYou, emailChanged.ifNot]);
}

export function passwordChangedMail(mail: Recipient): MailText {
  const { frame, passwordChanged: t } = wordsFor(mail);
  return mailText(mail, t.subject, [t.changed, frame.ifYou, t.ifNot(atSite(mail, "/auth/reset"))]);
}

/** For an address that may not belong to any account. Users choose the names, so the subject does not contain them. */
export function invitationMail(mail: Site & { code: string; name: string; invitedBy: string }): MailText {
  const { invitation: t } = wordsFor(mail);
  return mailText(mail, t.subject, [
    t.invites(mail.invitedBy, mail.name),
    linkTo(mail, "/auth/invitation"),
    t.account,
    t.ignore,
  ]);
}

/** Sent to an address that a visitor without an account has typed. */
export function guestReportMail(mail: CodeOnly): MailText {
  const { frame, guestReport: t } = wordsFor(mail);
  return mailText(mail, t.subject, [
    t.asked,
    linkTo(mail, "/report/confirm"),
    frame.linkWorks(durationOf(mail)),
    t.ignore,
  ]);
}

/** `name` is chosen by users, and absent if the object is deleted; `message` is written by moderators. */
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

/** Browser, system and address are null if they are unknown. */
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
  // The name of a token may contain line breaks; a paragraph may not.
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

// The site may be below a path of its host, so the whole base is kept.
const atSite = ({ siteUrl }: Site, path: string): string => siteUrl.replace(/\/+$/, "") + path;

function durationOf(mail: CodeOnly): string {
  const { frame } = wordsFor(mail);
  const { validMinutes } = mail;
  return validMinutes % 60 === 0 ? frame.hours(validMinutes / 60) : frame.minutes(validMinutes);
}
