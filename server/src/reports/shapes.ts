// A report as answers show it (earlier-service 5.17), and a case: all open reports about one thing.
import Type, { type Static } from "typebox";
import { Id, Named, Nullable, Timestamp } from "../http/schemas.js";
import { reportTypes } from "../lib/report-types.js";
import { MaybeClaim } from "../moderation/shapes.js";
import { itemTypes, outcomes } from "./words.js";

export const ReportTypeOf = Type.Enum([...reportTypes]);
export const ItemTypeOf = Type.Enum([...itemTypes]);
export const OutcomeOf = Type.Enum([...outcomes], { description: "What became of it" });

export const Report = Named("Report", {
  id: Id,
  reportType: ReportTypeOf,
  itemType: ItemTypeOf,
  itemId: Id,
  body: Type.String(),
  reporter: Nullable(Id),
  closed: Type.Boolean(),
  createdAt: Timestamp,
  threadId: Id,
  outcome: Nullable(OutcomeOf),
  caseId: Type.Optional(Type.String({ description: "For moderators: reports about the same thing share it" })),
});
export type Report = Static<typeof Report>;

const ReportedItem = Named("ReportedItem", {
  title: Type.String({ description: "Name of the project, number of the version, or user name" }),
  projectId: Nullable(Id),
  projectSlug: Nullable(Type.String()),
  projectName: Nullable(Type.String()),
});
export type ReportedItem = Static<typeof ReportedItem>;

const caseFields = {
  id: Id,
  itemType: ItemTypeOf,
  itemId: Id,
  item: Nullable(ReportedItem),
  isUrgent: Type.Boolean({ description: "One of the reports says that it does harm" }),
  closed: Type.Boolean(),
  dateCreated: Timestamp,
  dateUpdated: Timestamp,
  dateClosed: Nullable(Timestamp),
  reportCount: Type.Integer(),
  reportTypes: Type.Array(ReportTypeOf),
  claim: MaybeClaim,
};

export const ReportCase = Named("ReportCase", caseFields, { description: "All open reports about one thing" });
export type ReportCase = Static<typeof ReportCase>;

const CaseReport = Named("CaseReport", {
  ...Report.properties,
  reporterName: Nullable(Type.String()),
  isGuest: Type.Boolean({ description: "He has no account and is told the outcome by mail" }),
  reporterHistory: Type.Object(
    { closed: Type.Integer(), actionTaken: Type.Integer() },
    { description: "How many reports of his were closed, and how many of them led to something" },
  ),
});
export type CaseReport = Static<typeof CaseReport>;

export const ReportCaseDetail = Named("ReportCaseDetail", {
  ...caseFields,
  reports: Type.Array(CaseReport, { description: "The newest hundred" }),
});
export type ReportCaseDetail = Static<typeof ReportCaseDetail>;
