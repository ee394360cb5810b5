// English words of the mails. Each mail is its subject and its paragraphs; links stand between them.
import { pluralsIn } from "#lib/plurals.js";

const plural = pluralsIn("en");

export const mails = {
  frame: {
    hello: "Hello,",
    helloName: (name: string) => `Hello ${name},`,
    minutes: (count: number) => plural(count, { one: "1 minute", other: `${count} minutes` }),
    hours: (count: number) => plural(count, { one: "1 hour", other: `${count} hours` }),
    linkWorks: (duration: string) => `The link works once, within ${duration}.`,
    ifYou: "If that was you, all is well.",
    ignore: "If you did not ask for it, ignore this mail: nothing will change.",
  },
  passwordReset: {
    subject: "Choose a new password",
    asked: "Someone, hopefully you, asked for a new password for your account. Choose one here:",
    ignore: "If you did not ask for it, ignore this mail: your password stays as it is.",
  },
  passwordAddition: {
    subject: "Confirm your new password",
    asked: "Someone, hopefully you, has chosen a password for your account, which had none. Confirm it here:",
  },
  accountDeletion: {
    subject: "Confirm that your account is to be deleted",
    asked: "Someone, hopefully you, asked to delete your account. This cannot be undone. Confirm it here:",
    ignore:
      "If you did not ask for it, ignore this mail, and choose a new password: somebody is signed in to your account.",
  },
  emailChange: {
    subject: "Confirm your new e-mail address",
    asked: "Please confirm that this is the new e-mail address of your account:",
    linkWorks: (duration: string) =>
      `The link works once, within ${duration}. Until then your old address stays in use.`,
  },
  addressConfirmation: {
    subject: "Confirm your e-mail address",
    asked: "Someone, hopefully you, has made this account with your e-mail address. Please confirm that it is yours:",
    linkWorks: (duration: string) =>
      `The link works once, within ${duration}. Until then the account cannot publish anything.`,
    ignore: "If you did not make the account, ignore this mail: your address stays free for you.",
  },
  addressTaken: {
    subject: "You have an account already",
    asked: (other: string, own: string) =>
      `Someone, hopefully you, has given your e-mail address for the account ${other}. The address belongs to your account ${own}, so it cannot be used there.`,
    signIn: (name: string, link: string) =>
      `Sign in as ${name} instead. If you do not remember the password, choose a new one: ${link}`,
    both: (name: string) => `To use both accounts, give ${name} another address in its settings.`,
    ignore: "If it was not you, ignore this mail: nothing about your account has changed.",
  },
  emailChanged: {
    subject: "Your e-mail address was changed",
    changed: "Your account has a new e-mail address. This is the last mail to the old one.",
    ifNot: "If it was not, someone else is in your account: write to the people who run this site at once.",
  },
  passwordChanged: {
    subject: "Your password was changed",
    changed:
      "The password of your account has just been changed. All other sessions were signed out, and the access tokens that were not kept stopped working.",
    ifNot: (link: string) => `If it was not, choose a new password now: ${link}`,
  },
  invitation: {
    subject: "You are invited to a team",
    invites: (inviter: string, name: string) =>
      `${inviter} invites you to work on ${name}. See the invitation here, and accept or decline it:`,
    account: "You need an account for that; the page lets you make one. The invitation waits for 30 days.",
    ignore: "If you do not know what this is about, ignore this mail: nothing will happen.",
  },
  guestReport: {
    subject: "Confirm your report",
    asked: "Someone, hopefully you, wants to report something on this site. Look at the report here, and send it:",
    ignore: "If you did not ask for it, ignore this mail: nothing will be sent.",
  },
  reportClosed: {
    subject: "Your report was looked at",
    closed: (name: string) => `Moderators have closed your report about ${name}.`,
    closedGone: "Moderators have closed your report. What you reported is gone by now.",
    outcomes: {
      action_taken: "They have done something about it.",
      no_violation: "They have found nothing that breaks the rules.",
      other: "They have dealt with it in another way.",
    },
    say: "They say:",
    thanks: "Thank you for telling us. This mail cannot be answered.",
  },
  newSession: {
    subject: "New sign-in to your account",
    signedIn: (when: string, device: string, address: string) =>
      `Somebody signed in to your account on ${when}, with ${device}, from ${address}.`,
    device: (browser: string, system: string) => `${browser} on ${system}`,
    unknownProgram: "an unknown program",
    unknownAddress: "an unknown address",
    ifNot: "If it was not, end that session here, and choose a new password afterwards:",
    all: (link: string) => `All your sessions: ${link}`,
  },
  tokenExpiry: {
    subject: "A token of yours is about to stop working",
    subjectPast: "A token of yours has stopped working",
    stops: (name: string, date: string) => `Your token "${name}" stops working on ${date}.`,
    stopped: (name: string, date: string) => `Your token "${name}" stopped working on ${date}.`,
    more: (link: string) => `Give it more time, or make a new one: ${link}`,
    nothing: "If you need it no more, there is nothing to do.",
  },
  digest: {
    subject: (count: number) => plural(count, { one: "One new notification", other: `${count} new notifications` }),
    news: "there is news for you at",
    all: (more: number) => (more === 0 ? "See them all" : `And ${more} more. See them all`),
    why: "You get this mail because your notification settings ask for it.",
    end: "End these mails",
  },
};
