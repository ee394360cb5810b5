// The page of a file by its hash: where it is used, whether it is quarantined or denied; and lists of such files.
import Type from "typebox";
import * as contract from "#moderation/quarantine/contract.js";
import { allowHash, denyHash } from "#moderation/quarantine/denied-write.js";
import { findHeldVersions, inspectContent, listDenied, listQuarantines } from "#moderation/quarantine/read.js";
import { liftQuarantine } from "#moderation/quarantine/write.js";
import { write } from "#platform/changes/write.js";
import type { Route } from "#platform/http/endpoint.js";
import { parse } from "#platform/http/validation.js";
import { attempt, formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { forModerators } from "#web/shared/staff-access.js";
import { deskPage, wordsFor } from "./desk-frame.js";
import { DenyForm, Found, Lists, LookUp } from "./files.js";

const isHash = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{128})$/.test(text);
const filesPath = (hash: string): string => (hash === "" ? "/moderation/files" : `/moderation/files?hash=${hash}`);
const form = { access: forModerators } as const;

export const fileRoutes: Route[] = [
  pageRoute(
    {
      id: "getFilesPage",
      path: "/moderation/files",
      access: forModerators,
      summary: "The uses of a file, and lists of quarantined and denied files",
      query: Type.Object({ hash: Type.Optional(Type.String({ maxLength: 256 })) }),
    },
    async ({ request, query }, { db }) => {
      const hash = (query.hash ?? "").trim().toLowerCase();
      const title = wordsFor(request).t.tabs.files;
      if (hash === "") {
        const [quarantines, denied] = [await listQuarantines(db, {}), await listDenied(db, {})];
        const versions = await findHeldVersions(
          db,
          quarantines.flatMap(({ versionId }) => versionId ?? []),
        );
        return deskPage(
          { title },
          <>
            <LookUp hash="" />
            <Lists quarantines={quarantines} versions={versions} denied={denied} />
          </>,
        );
      }
      if (!isHash(hash)) return deskPage({ title, status: 400 }, <LookUp hash={hash} isWrong />);
      const content = await inspectContent(db, hash);
      return deskPage(
        { title },
        <>
          <LookUp hash={hash} />
          <Found content={content} hash={hash} />
        </>,
      );
    },
  ),

  memberFormRoute(
    {
      ...form,
      id: "submitQuarantineLift",
      path: "/moderation/quarantine/:id/lift",
      summary: "Lift a quarantine",
      params: Type.Object({ id: contract.getQuarantine.params.properties.quarantineId }),
      body: formFields("hash"),
      errors: ["quarantineNotFound", "wrongState"],
    },
    async ({ viewer, actor, params, body, reply }, resources) => {
      await write(resources, actor, (tx) => liftQuarantine(tx, viewer.user.id, params.id));
      return seeOther(reply, filesPath(isHash(body.hash ?? "") ? body.hash! : ""));
    },
  ),

  memberFormRoute(
    {
      ...form,
      id: "submitContentDenial",
      once: true,
      path: "/moderation/files/deny",
      summary: "Deny the content of a file",
      body: formFields("hash", "reason"),
      errors: ["wrongState"],
    },
    async ({ viewer, actor, body, request, reply }, resources) => {
      const typed = { hash: (body.hash ?? "").trim().toLowerCase(), reason: body.reason ?? "" };
      const problems = await attempt(
        async () => {
          const { hash, reason } = parse<typeof typed>("body", contract.denyHash.body, { ...typed }, "body");
          await write(resources, actor, (tx) => denyHash(tx, viewer.user.id, hash, reason));
        },
        { wrongState: "hash" },
      );
      if (!problems) return seeOther(reply, filesPath(typed.hash));
      return deskPage(
        { title: wordsFor(request).t.tabs.files, status: problems.status },
        <DenyForm typed={typed} problems={problems} />,
      );
    },
  ),

  memberFormRoute(
    {
      ...form,
      id: "submitContentAllowance",
      path: "/moderation/files/allow",
      summary: "Allow the content of a file again",
      body: formFields("hash"),
      errors: ["deniedHashNotFound"],
    },
    async ({ actor, body, reply }, resources) => {
      const given = { hash: (body.hash ?? "").toLowerCase() };
      const { hash } = parse<{ hash: string }>("body", contract.allowHash.params, given, "body");
      await write(resources, actor, (tx) => allowHash(tx, hash));
      return seeOther(reply, filesPath(hash));
    },
  ),
];
