// The routes of the page in scan.tsx.
import Type from "typebox";
import { scanFile } from "#moderation/quarantine/scan.js";
import { Id } from "#platform/http/schemas.js";
import { pageRoute } from "#web/frame/page.js";
import { forModerators } from "#web/shared/staff-access.js";
import { deskPage } from "./desk-frame.js";
import { ScanView } from "./scan.js";

export const scanRoute = pageRoute(
  {
    id: "getScanPage",
    path: "/moderation/scan/:fileId",
    access: forModerators,
    rate: "bulk",
    summary: "The content of a file",
    params: Type.Object({ fileId: Id }),
    errors: ["fileNotFound"],
  },
  async ({ params }, resources) => {
    const scan = await scanFile(resources, params.fileId);
    return deskPage({ title: scan.file.name }, <ScanView scan={scan} />);
  },
);
