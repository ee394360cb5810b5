// The routes of the page in quarantine.tsx.
import type { Static } from "typebox";
import { createQuarantine as contract } from "#moderation/quarantine/contract.js";
import { inspectContent, inspectVersion } from "#moderation/quarantine/read.js";
import type { HeldVersion } from "#moderation/quarantine/shapes.js";
import { createQuarantine } from "#moderation/quarantine/write.js";
import { write } from "#platform/changes/write.js";
import { fail, invalid } from "#platform/errors.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { parse } from "#platform/http/validation.js";
import { attempt, formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { forModerators } from "#web/shared/staff-access.js";
import { say } from "#words/said.js";
import { texts, textsIn } from "#words/texts.js";
import { deskPage } from "./desk-frame.js";
import { backOf, Confirm, plainId, type Target } from "./quarantine.js";

type Input = Static<typeof contract.body>;

const toTarget = (given: Partial<Target>): Target => ({
  versionId: given.versionId ?? "",
  sha512: (given.sha512 ?? "").toLowerCase(),
  case: given.case ?? "",
});

/** Throws 404 if there is no such version or file. */
async function listTargets(resources: Resources, { versionId, sha512 }: Target): Promise<HeldVersion[]> {
  if (/^[0-9a-f]{128}$/.test(sha512)) return (await inspectContent(resources.db, sha512)).versions;
  if (!plainId.test(versionId)) throw fail.versionNotFound();
  const { version, project, quarantined } = await inspectVersion(resources, versionId);
  return [{ ...version, quarantined, project }];
}

export const quarantineRoutes: Route[] = [
  pageRoute(
    {
      id: "getQuarantinePage",
      path: "/moderation/quarantine",
      access: forModerators,
      summary: "Ask for confirmation before a version or file is quarantined",
      query: formFields("versionId", "sha512", "case"),
      errors: ["versionNotFound"],
    },
    async ({ query, request }, resources) => {
      const target = toTarget(query);
      const versions = await listTargets(resources, target);
      const title = textsIn(texts.moderation.file, localeOf(request)).quarantineTitle;
      return deskPage({ title }, <Confirm target={target} versions={versions} reason="" />);
    },
  ),

  memberFormRoute(
    {
      id: "submitQuarantine",
      once: true,
      path: "/moderation/quarantine",
      access: forModerators,
      summary: "Quarantine a version or a file",
      body: formFields("versionId", "sha512", "case", "reason", "deny"),
      errors: ["versionNotFound", "wrongState"],
    },
    async ({ viewer, actor, body, request, reply }, resources) => {
      const target = toTarget(body);
      const versions = await listTargets(resources, target);
      const deny = body.deny !== undefined && target.sha512 !== "";
      const problems = await attempt(
        async () => {
          const {
            versionId = null,
            sha512 = null,
            reason,
          } = parse<Input>(
            "body",
            contract.body,
            { versionId: target.versionId || null, sha512: target.sha512 || null, reason: body.reason ?? "", deny },
            "body",
          );
          if ((versionId === null) === (sha512 === null))
            throw invalid({ path: "reason", message: say.problems.nameOne });
          await write(resources, actor, (tx) =>
            createQuarantine(tx, viewer.user.id, { versionId, sha512, reason, deny }),
          );
        },
        { wrongState: "reason" },
      );
      if (!problems) return seeOther(reply, backOf(target));
      const title = textsIn(texts.moderation.file, localeOf(request)).quarantineTitle;
      return deskPage(
        { title, status: problems.status },
        <Confirm target={target} versions={versions} reason={body.reason ?? ""} deny={deny} problems={problems} />,
      );
    },
  ),
];
