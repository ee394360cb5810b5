// Trying out what a site rests on, at the press of a button: a mail that is really sent, a file that is really stored.

import { reasonOf } from "#lib/reason-of.js";
import type { Resources } from "#platform/http/resources.js";

export interface Trial {
  what: "mail" | "storage";
  /** Undefined where it worked; "no server" and "no address" where it could not even be tried. */
  fault: string | undefined;
}

export async function tryMail(
  { mailer, config }: Resources,
  to: string,
  mail: { subject: string; text: string },
): Promise<Trial> {
  if (!config.mail) return { what: "mail", fault: "no server" };
  return attemptIt("mail", () => mailer.send({ to, ...mail }));
}

export const tryStorage = ({ blobs }: Resources): Promise<Trial> => attemptIt("storage", () => blobs.probe());

async function attemptIt(what: Trial["what"], work: () => Promise<unknown>): Promise<Trial> {
  try {
    await work();
    return { what, fault: undefined };
  } catch (error) {
    return { what, fault: reasonOf(error) };
  }
}
