// The routes of reports. The website calls the same functions.

import { releaseClaim } from "#moderation/desk/claims.js";
import { write } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import { type Route, route } from "#platform/http/endpoint.js";
import { done, timestamp } from "#platform/http/schemas.js";
import { needPowers } from "#platform/http/staff-powers.js";
import { findCase, listCases, readCase } from "./cases-read.js";
import * as contract from "./contract.js";
import { refuseReasonOff } from "./policy.js";
import { findOwnOpenReport, findReport, listAllReports, listReportsOf, toReport } from "./read.js";
import { claimCase, closeCase, createReport, setClosed } from "./write.js";

export const reportRoutes: Route[] = [
  route(contract.createReport, async ({ body, viewer, actor }, resources) => {
    refuseReasonOff(resources.config, body.reportType);
    const { joined, ...report } = await write(resources, actor, (tx) => createReport(tx, viewer, body));
    const message = joined
      ? "You have reported this already; your text was added"
      : "Thank you; moderators will look at it";
    return { ...done(message), ...report, ...(joined && { joined }) };
  }),

  route(contract.getReports, async ({ query, viewer }, { db }) => {
    const { userId = viewer.user.id } = query;
    if (userId !== viewer.user.id) needPowers(viewer, "moderator");
    return (await listReportsOf(db, userId)).map((row) => toReport(row, viewer));
  }),

  route(contract.getAllReports, async ({ query, viewer }, { db }) => {
    return (await listAllReports(db, query)).map((row) => toReport(row, viewer));
  }),

  route(contract.getExistingReport, async ({ query, viewer }, { db }) => {
    const report = await findOwnOpenReport(db, viewer, query.itemType, query.itemId);
    if (!report) throw fail.reportNotFound();
    return toReport(report, viewer);
  }),

  route(contract.getReport, async ({ params, viewer }, { db }) => {
    const report = await findReport(db, viewer, params.reportId);
    if (!report) throw fail.reportNotFound();
    return toReport(report, viewer);
  }),

  route(contract.updateReport, async ({ params, body, viewer, actor }, resources) => {
    const { closed, outcome = null, message } = body;
    const closing = { closed, outcome: closed ? outcome : null, message: message ?? "" };
    await write(resources, actor, (tx) => setClosed(tx, viewer, params.reportId, closing));
    return done(closed ? "Report closed" : "Report opened again");
  }),

  route(contract.getReportCases, async ({ query }, { db, clock }) => {
    return listCases(db, query, clock.now());
  }),

  route(contract.getReportCase, async ({ params, viewer }, { db, clock }) => {
    const found = await findCase(db, params.caseId);
    if (!found) throw fail.caseNotFound();
    return readCase(db, viewer, found, clock.now());
  }),

  route(contract.closeReportCase, async ({ params, body, viewer, actor }, resources) => {
    const closing = { closed: true, outcome: body.outcome ?? null, message: body.message ?? "" };
    const reports = await write(resources, actor, (tx) => closeCase(tx, viewer, params.caseId, closing));
    return { ...done("Case closed"), reports };
  }),

  route(contract.claimReportCase, async ({ params, viewer, actor }, resources) => {
    const { id, userName } = viewer.user;
    const dateExpires = await write(resources, actor, (tx) => claimCase(tx, viewer, params.caseId));
    return {
      ...done("You have claimed this case"),
      claim: { userId: id, userName, dateExpires: timestamp(dateExpires) },
    };
  }),

  route(contract.releaseReportCase, async ({ params, viewer, actor }, resources) => {
    await write(resources, actor, async (tx) => {
      if (!(await findCase(tx.db, params.caseId))) throw fail.caseNotFound();
      await releaseClaim(tx, "report", params.caseId, viewer.user);
    });
    return done("Case released");
  }),
];
