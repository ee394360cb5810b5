// The routes of the pages in scan.tsx, entry.tsx and changes.tsx.
import Type from "typebox";
import { scanFile } from "#moderation/quarantine/scan.js";
import { compareFile, compareFileEntry } from "#moderation/quarantine/scan-changes.js";
import { fail } from "#platform/errors.js";
import type { Route } from "#platform/http/endpoint.js";
import { Id } from "#platform/http/schemas.js";
import { renderMarkdown } from "#platform/markdown/render.js";
import { pageRoute } from "#web/frame/page.js";
import { forModerators } from "#web/shared/staff-access.js";
import { EntryChanges } from "./changes.js";
import { deskPage } from "./desk-frame.js";
import { Entry, toFence } from "./entry.js";
import { ScanView } from "./scan.js";

const params = Type.Object({ fileId: Id });
/** The file of another version to compare it with. */
const other = { with: Type.Optional(Type.String({ maxLength: 64 })) };
const path = { path: Type.Optional(Type.String({ maxLength: 2048 })) };

export const scanRoutes: Route[] = [
  pageRoute(
    {
      id: "getScanPage",
      path: "/moderation/scan/:fileId",
      access: forModerators,
      rate: "bulk",
      summary: "The content of a file",
      params,
      query: Type.Object(other),
      errors: ["fileNotFound"],
    },
    async ({ params: { fileId }, query }, resources) => {
      const scan = await scanFile(resources, fileId);
      const changes = await compareFile(resources, fileId, query.with);
      return deskPage({ title: scan.file.name }, <ScanView scan={scan} changes={changes} />);
    },
  ),

  pageRoute(
    {
      id: "getScannedEntryPage",
      path: "/moderation/scan/:fileId/read",
      access: forModerators,
      rate: "bulk",
      summary: "One file inside an archive",
      params,
      query: Type.Object(path),
      errors: ["fileNotFound"],
    },
    async ({ params: { fileId }, query: { path = "" } }, resources) => {
      const scan = await scanFile(resources, fileId, path);
      const read = scan.inspection?.ok ? scan.inspection.read : undefined;
      if (!read) throw fail.fileNotFound();
      // Highlighted where the texts of authors are: in a thread, and reduced to an allow-list.
      const html =
        read.kind === "text" ? await renderMarkdown(toFence(path, read.text), resources.config.http) : undefined;
      return deskPage(
        { title: path.split("/").at(-1) || path },
        <Entry scan={scan} path={path} read={read} html={html} />,
      );
    },
  ),

  pageRoute(
    {
      id: "getScannedChangesPage",
      path: "/moderation/scan/:fileId/changes",
      access: forModerators,
      rate: "bulk",
      summary: "The changes of one file inside an archive since another version",
      params,
      query: Type.Object({ ...path, ...other }),
      errors: ["fileNotFound"],
    },
    async ({ params: { fileId }, query }, resources) => {
      const path = query.path ?? "";
      const changes = await compareFileEntry(resources, fileId, query.with, path);
      return deskPage({ title: path.split("/").at(-1) || path }, <EntryChanges changes={changes} path={path} />);
    },
  ),
];
