// English words of the emails. Each has a subject and paragraphs; links stand between them.
import { pluralsIn } from "#lib/plurals.js";

const plural = pluralsIn("en");

export const mails = {
  frame: {
    hello: "Hello,",
    helloName: (name: string) => `Hello ${name},`,
    minutes: (count: number) => plural(count, { one: "1 minute", other: `${count} minutes` }),
    hours: (count: number) => plural(count, { one: "1 hour", other: `${count} hours` }),
    linkWorks: (duration: string) => `The link works once and expires after ${duration}.`,
    ifYou: "If this was you, you don't need to do anything.",
    ignore: "If you did not request this, ignore this email. Nothing will change.",
  },
  passwordReset: {
    subject: "Reset your password",
    asked: "Someone, hopefully you, requested a new password for your account. Choose it here:",
    ignore: "If you did not request this, ignore this email. Your password will not change.",
  },
  passwordAddition: {
    subject: "Confirm your new password",
    asked: "Someone, hopefully you, wants to add a password to your account, which has none. Confirm it here:",
  },
  accountDeletion: {
    subject: "Confirm the deletion of your account",
    asked: "Someone, hopefully you, requested the deletion of your account. This cannot be undone. Confirm it here:",
    ignore:
      "If you did not request this, someone else is signed in to your account. Ignore the link and change your password.",
  },
  emailChange: {
    subject: "Confirm your new email address",
    asked: "Please confirm that this is the new email address of your account:",
    linkWorks: (duration: string) =>
      `The link works once and expires after ${duration}. Until you confirm, your old address stays in use.`,
  },
  addressConfirmation: {
    subject: "Confirm your email address",
    asked: "Someone, hopefully you, created this account with your email address. Please confirm that it is yours:",
    linkWorks: (duration: string) =>
      `The link works once and expires after ${duration}. Until you confirm, the account cannot publish anything.`,
    ignore:
      "If you did not create the account, ignore this email. You can still use your address for your own account.",
  },
  addressTaken: {
    subject: "You already have an account",
    asked: (other: string, own: string) =>
      `Someone, hopefully you, entered your email address for the account ${other}. The address belongs to your account ${own}, so it cannot be used there.`,
    signIn: (name: string, link: string) =>
      `Sign in as ${name} instead. If you forgot the password, choose a new one: ${link}`,
    both: (name: string) => `To use both accounts, enter another address in the settings of ${name}.`,
    ignore: "If this was not you, ignore this email. Nothing about your account has changed.",
  },
  emailChanged: {
    subject: "Your email address was changed",
    changed: "Your account has a new email address. This is the last email to the old one.",
    ifNot:
      "If this was not you, someone else has access to your account. Contact the operator of this site immediately.",
  },
  passwordChanged: {
    subject: "Your password was changed",
    changed:
      "The password of your account was changed. All other sessions were ended, and all access tokens that you did not keep were revoked.",
    ifNot: (link: string) => `If this was not you, reset your password now: ${link}`,
  },
  invitation: {
    subject: "You are invited to a team",
    invites: (inviter: string, name: string) =>
      `${inviter} invites you to work on ${name}. View, accept or decline the invitation here:`,
    account: "You need an account for this, which you can create on that page. The invitation expires after 30 days.",
    ignore: "If you don't know what this is about, ignore this email. Nothing will happen.",
  },
  guestReport: {
    subject: "Confirm your report",
    asked: "Someone, hopefully you, wants to report something on this site. Review the report and send it here:",
    ignore: "If you did not request this, ignore this email. Nothing will be sent.",
  },
  reportClosed: {
    subject: "Your report was reviewed",
    closed: (name: string) => `The moderators have closed your report about ${name}.`,
    closedGone: "The moderators have closed your report. The content you reported no longer exists.",
    outcomes: {
      action_taken: "They took action.",
      no_violation: "They found no violation of the rules.",
      other: "They handled it in another way.",
    },
    say: "Their message:",
    thanks: "Thank you for your report. You cannot reply to this email.",
  },
  newSession: {
    subject: "New sign-in to your account",
    signedIn: (when: string, device: string, address: string) =>
      `Someone signed in to your account on ${when} with ${device} from ${address}.`,
    device: (browser: string, system: string) => `${browser} on ${system}`,
    unknownProgram: "an unknown program",
    unknownAddress: "an unknown address",
    ifNot: "If this was not you, end that session here, then change your password:",
    all: (link: string) => `All your sessions: ${link}`,
  },
  tokenExpiry: {
    subject: "Your access token expires soon",
    subjectPast: "Your access token has expired",
    stops: (name: string, date: string) => `Your token "${name}" expires on ${date}.`,
    stopped: (name: string, date: string) => `Your token "${name}" expired on ${date}.`,
    more: (link: string) => `Extend it or create a new one: ${link}`,
    nothing: "If you no longer need it, you don't have to do anything.",
  },
  digest: {
    subject: (count: number) => plural(count, { one: "1 new notification", other: `${count} new notifications` }),
    news: "Here is what is new for you at",
    all: (more: number) => (more === 0 ? "View all" : `And ${more} more. View all`),
    why: "You get this email because of your notification settings.",
    end: "Unsubscribe",
  },
};
