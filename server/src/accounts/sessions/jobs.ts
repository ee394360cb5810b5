// The mail about a sign-in from a place that the account was not used from before.
import type { JobPayloads } from "#platform/changes/job-kinds.js";
import { write } from "#platform/changes/write.js";
import type { Resources } from "#platform/http/resources.js";
import { timestamp } from "#platform/http/schemas.js";
import { newSessionMail } from "#platform/mail/messages.js";
import { createStep } from "./steps.js";
import { browserOf, systemOf } from "./user-agent.js";

export async function mailNewSession(
  resources: Resources,
  { sessionId }: JobPayloads["mail-new-session"],
): Promise<void> {
  const { db, mailer, config } = resources;
  if (!mailer.enabled) return;
  const session = await db
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .select([
      "users.id",
      "users.email",
      "users.email_held",
      "users.user_name",
      "users.locale",
      "sessions.address",
      "sessions.user_agent",
      "sessions.date_created",
    ])
    .where("sessions.id", "=", sessionId)
    .executeTakeFirst();
  // Ended already, or no address that is known to be the user's.
  if (!session?.email || session.email_held === 0) return;
  const code = await write(resources, { credential: "job" }, (tx) =>
    createStep(tx, "end_session", { userId: session.id, challenge: sessionId }),
  );
  await mailer.send({
    to: session.email,
    ...newSessionMail({
      siteUrl: config.http.url,
      locale: session.locale,
      userName: session.user_name,
      code,
      browser: browserOf(session.user_agent),
      system: systemOf(session.user_agent),
      address: session.address,
      when: `${timestamp(session.date_created).slice(0, 16).replace("T", " ")} UTC`,
    }),
  });
}
