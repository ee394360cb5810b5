// Reports: what people tell moderators about projects, versions and users (earlier-service 4.14).

import Type from "typebox";
import { Claim, page } from "#moderation/desk/shapes.js";
import { moderators, needs } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Choice, Described, Done, DoneWith, Id, Nullable, Ref, Text } from "#platform/http/schemas.js";
import { say } from "#words/said.js";
import { ItemTypeOf, OutcomeOf, Report, ReportCase, ReportCaseDetail, ReportTypeOf } from "./shapes.js";

const shared = { tag: "Reports and threads" } as const;
const reportId = Type.Object({ reportId: Ref("Report id") });
const itemId = Ref("Its id; a project's slug and a user's name work too");
const states = { open: "Open reports", closed: "Closed reports" } as const;
const itemNotThere = ["projectNotFound", "versionNotFound", "userNotFound"] as const;

export const createReport = endpoint({
  ...shared,
  id: "createReport",
  method: "POST",
  path: "/api/report",
  access: needs("report_create"),
  rate: "report",
  summary: "Report a project, a version or a user",
  description:
    "Moderators answer in the report's thread. A user who already has an open report about the same object gets that report again, with joined: true, and the text is added to its thread. A user can have 30 open reports.",
  body: Type.Object({
    reportType: ReportTypeOf,
    itemType: ItemTypeOf,
    itemId,
    body: Text("reportBody", {
      pattern: "[^\\s]",
      description: "A description of the problem",
      examples: ["The archive holds a program that reads saved passwords."],
      "x-problem": say.problems.notBlank(10, 8192),
    }),
  }),
  answer: Type.Object({
    ...Done.properties,
    reportId: Described(Id, "Id of the report"),
    threadId: Described(Id, "Id of the conversation with moderators"),
    joined: Type.Optional(Type.Boolean({ description: "You had this report open already" })),
  }),
  errors: [...itemNotThere, "selfReport", "tooManyReports"],
});

export const getReports = endpoint({
  ...shared,
  id: "getReports",
  method: "GET",
  path: "/api/report",
  access: needs("report_read"),
  rate: "read",
  summary: "List your reports, newest first",
  description: "The newest hundred. Moderators can read another user's.",
  query: Type.Object({ userId: Type.Optional(Ref("For moderators: id of another user")) }),
  answer: Type.Array(Report),
  errors: ["moderatorOnly"],
});

export const getAllReports = endpoint({
  ...shared,
  id: "getAllReports",
  method: "GET",
  path: "/api/report/getAll",
  access: moderators(needs("report_read")),
  rate: "search",
  summary: "List everybody's reports, newest first",
  description: "For moderators.",
  query: Type.Object({
    status: Type.Optional(Choice({ all: "All", ...states }, { default: "open", description: "Which reports" })),
    itemType: Type.Optional(ItemTypeOf),
    itemId: Type.Optional(Ref("Id of what was reported")),
    ruleViolated: Type.Optional(Type.String({ maxLength: 256, description: "Report types, separated by commas" })),
    reportedBy: Type.Optional(Ref("Id of the reporter")),
    before: Type.Optional(Ref("Id of a report: only older ones")),
    limit: page.limit,
  }),
  answer: Type.Array(Report),
});

export const getExistingReport = endpoint({
  ...shared,
  id: "getExistingReport",
  method: "GET",
  path: "/api/report/existingReport",
  access: needs("report_read"),
  rate: "read",
  summary: "Get your open report about something",
  query: Type.Object({ itemType: ItemTypeOf, itemId }),
  answer: Report,
  errors: ["reportNotFound"],
});

export const getReport = endpoint({
  ...shared,
  id: "getReport",
  method: "GET",
  path: "/api/report/:reportId",
  access: needs("report_read"),
  rate: "read",
  summary: "Get a report",
  description: "For the reporter and moderators.",
  params: reportId,
  answer: Report,
  errors: ["reportNotFound"],
});

const closing = {
  closed: Type.Boolean({ description: "true closes it, false opens it again" }),
  outcome: Type.Optional(Nullable(OutcomeOf)),
  message: Type.Optional(Nullable(Text("threadMessage", { description: "Said in the thread, before it closes" }))),
};

export const updateReport = endpoint({
  ...shared,
  id: "updateReport",
  method: "PATCH",
  path: "/api/report/:reportId",
  access: needs("report_write"),
  rate: "write",
  summary: "Close a report, or open it again",
  description: "For moderators. The reporter is notified.",
  params: reportId,
  body: Type.Object(closing),
  answer: Done,
  errors: ["reportNotFound", "moderatorOnly", "claimed", "wrongState"],
});

const moderation = { tag: "Moderation" } as const;
const caseId = Type.Object({ caseId: Ref("Case id") });

export const getReportCases = endpoint({
  ...moderation,
  id: "getReportCases",
  method: "GET",
  path: "/api/moderation/reports",
  access: moderators(needs("report_read")),
  rate: "search",
  summary: "List cases: reports about one thing together",
  description:
    "For moderators. Open cases: malicious content first, then the oldest. Closed cases: the most recently closed first.",
  query: Type.Object({
    status: Type.Optional(Choice(states, { default: "open", description: "Which cases" })),
    itemType: Type.Optional(ItemTypeOf),
    ...page,
  }),
  answer: Type.Array(ReportCase),
});

export const getReportCase = endpoint({
  ...moderation,
  id: "getReportCase",
  method: "GET",
  path: "/api/moderation/report/:caseId",
  access: moderators(needs("report_read")),
  rate: "read",
  summary: "Get a case with its reports",
  description: "For moderators.",
  params: caseId,
  answer: ReportCaseDetail,
  errors: ["caseNotFound"],
});

export const closeReportCase = endpoint({
  ...moderation,
  id: "closeReportCase",
  method: "PATCH",
  path: "/api/moderation/report/:caseId",
  access: moderators(needs("report_write")),
  rate: "write",
  summary: "Close every report of a case",
  description: "For moderators. Each reporter is answered in their own thread, and notified.",
  params: caseId,
  body: Type.Object({ ...closing, closed: Type.Literal(true, { description: "Always true" }) }),
  answer: Type.Object({ ...Done.properties, reports: Type.Integer({ description: "How many were closed" }) }),
  errors: ["caseNotFound", "claimed", "wrongState"],
});

export const claimReportCase = endpoint({
  ...moderation,
  id: "claimReportCase",
  method: "POST",
  path: "/api/moderation/report/:caseId/claim",
  access: moderators(needs("report_write")),
  rate: "write",
  summary: "Claim a case",
  description: "For moderators. For 30 minutes no other moderator can close it; calling it again extends the claim.",
  params: caseId,
  answer: DoneWith({ claim: Claim }),
  errors: ["caseNotFound", "claimed", "wrongState"],
});

export const releaseReportCase = endpoint({
  ...moderation,
  id: "releaseReportCase",
  method: "DELETE",
  path: "/api/moderation/report/:caseId/claim",
  access: moderators(needs("report_write")),
  rate: "write",
  summary: "Release a claimed case",
  params: caseId,
  answer: Done,
  errors: ["caseNotFound", "claimed", "wrongState"],
});
