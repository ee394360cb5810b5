// A picture that came with a report: only for its reporter and moderators, and never cached by proxies.
import Type from "typebox";
import { findEvidence } from "#moderation/reports/evidence.js";
import { findReport } from "#moderation/reports/read.js";
import { fail } from "#platform/errors.js";
import { needs } from "#platform/http/access.js";
import { endpoint, type Route, route } from "#platform/http/endpoint.js";
import { Id } from "#platform/http/schemas.js";
import { isAnswered } from "#platform/http/watchdog.js";

const getReportPicture = endpoint({
  id: "getReportPicture",
  method: "GET",
  path: "/dashboard/report/:reportId/picture/:pictureId",
  access: needs("report_read"),
  rate: "content",
  tag: "Website",
  summary: "A picture that came with a report",
  params: Type.Object({ reportId: Id, pictureId: Id }),
  answer: { raw: "image/webp", description: "The picture" },
  errors: ["reportNotFound", "fileNotFound"],
  cacheControl: "private, no-store",
  internal: true,
});

export const reportPictureRoute: Route = route(getReportPicture, async ({ params, viewer, reply }, { db, blobs }) => {
  const report = await findReport(db, viewer, params.reportId);
  if (!report) throw fail.reportNotFound();
  const picture = await findEvidence(db, report.id, params.pictureId);
  const opened = picture && (await blobs.open(Buffer.from(picture.sha512).toString("hex")));
  if (!opened) throw fail.fileNotFound();
  if (isAnswered(reply)) {
    opened.stream.destroy();
    return reply;
  }
  reply.headers({ "content-security-policy": "sandbox; default-src 'none'", "content-length": opened.size });
  return reply.type("image/webp").send(opened.stream);
});
