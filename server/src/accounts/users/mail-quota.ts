// How many mails about accounts a mailbox gets. A stranger must not flood it, and must not use up what its owner needs: each
// sender has a quota of their own, and links that were mailed before keep working when the mailbox has had enough.
import type { Actor } from "#platform/changes/write.js";
import type { Resources } from "#platform/http/resources.js";

export async function mayMail(
  { limiter }: Pick<Resources, "limiter">,
  { network = "" }: Actor,
  purpose: "reset" | "confirmation",
  email: string,
): Promise<boolean> {
  const mailbox = `${purpose} ${email}`;
  if (!(await limiter.take("mail", `${mailbox} from ${network}`)).allowed) return false;
  return (await limiter.take("mailbox", mailbox)).allowed;
}
