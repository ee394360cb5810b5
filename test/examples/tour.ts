// Data and helpers that the sections of the tour share.

import { createCode } from "#accounts/users/codes.js";
import { write } from "#platform/changes/write.js";
import type { CodePurpose } from "#platform/db/tables.js";
import type { TestUser } from "#test/callers/actors.js";
import { zip } from "#test/files/archives.js";
import type { BuildService } from "#test/setup/build-service.js";
import type { OAuthApp } from "#test/setup/oauth-browser.js";
import type { SmtpServer } from "#test/setup/smtp.js";
import type { Receiver } from "#test/setup/webhook-receiver.js";
import type { Recorder } from "./recorder.js";

export interface Tour extends OAuthApp {
  recorder: Recorder;
  smtp: SmtpServer;
  builds: BuildService;
  receiver: Receiver;
  password: string;
  /** Ada creates content, Grace uses it and helps, Mo moderates. */
  people: Record<"ada" | "grace" | "mo", TestUser> & { root: { id: string } };
}

/** A code as a mail would contain it. */
export const codeFor = (
  { resources }: Pick<Tour, "resources">,
  purpose: CodePurpose,
  userId: string | null,
  detail?: string,
): Promise<string> => write(resources, { credential: "test" }, (tx) => createCode(tx, purpose, userId, detail));

/** The code for this page in the last mail to this address. */
export async function mailedCode({ app, smtp }: Tour, page: string, email: string): Promise<string> {
  await app.jobs.settle();
  const mails = smtp.messages.filter(({ to, text }) => to.includes(email) && text.includes(`${page}?code=`));
  return mails.at(-1)!.text.split(`${page}?code=`)[1]!.match(/^\w+/)![0];
}

/** An archive with the manifest of a loader, the same each time. */
export function archive(id: string, version: string, name = `${id}-${version}.jar`): File {
  const manifest = { schema_version: 1, quilt_loader: { id, version, metadata: { name: id } } };
  const bytes = zip([{ name: "quilt.mod.json", content: JSON.stringify(manifest) }]);
  return new File([new Uint8Array(bytes)], name, { type: "application/java-archive" });
}

/** The form of a version of the library. */
export const releaseOf = (versionNumber: string) => ({
  ...{ versionNumber, loaders: "quilt", gameVersions: "0.4.8" },
  primaryFile: archive("meadow-core", versionNumber),
});
