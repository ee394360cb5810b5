// Tests of external services on request: sends a real mail, stores a real file.

import { reasonOf } from "#lib/reason-of.js";
import type { Resources } from "#platform/http/resources.js";

export interface Trial {
  what: "mail" | "storage";
  /** Undefined if it worked; "no server" and "no address" if it could not be tried. */
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
