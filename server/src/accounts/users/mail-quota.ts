// Limits mails about accounts per mailbox. A stranger must not flood it, and must not use up the owner's quota: each
// sender has a separate quota, and links that were mailed before keep working after the limit is reached.
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
