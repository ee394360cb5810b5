// A report as answers show it (earlier-service 5.17), and a case: all open reports about one object.
import Type, { type Static } from "typebox";
import type { ReportType } from "#lib/report-types.js";
import { MaybeClaim } from "#moderation/desk/shapes.js";
import { Choice, Described, Id, Named, Nullable, Timestamp } from "#platform/http/schemas.js";
import type { ItemType, Outcome } from "./words.js";

export const ReportTypeOf = Choice(
  {
    spam: "Advertising or repeated content",
    reuploaded_work: "Published without the permission of its author",
    inappropriate: "Not fit for everyone",
    malicious: "Does harm to those who use it",
    name_squatting: "Holds a name without using it",
    poor_description: "Does not say what it is",
    invalid_metadata: "Wrong types, categories, game versions or loaders",
    other: "Something else, which the text explains",
  } satisfies Record<ReportType, string>,
  { description: "The reason" },
);
export const ItemTypeOf = Choice(
  { project: "A project", version: "A version", user: "A user" } satisfies Record<ItemType, string>,
  { description: "The reported object" },
);
export const OutcomeOf = Choice(
  {
    action_taken: "Moderators did something about it",
    no_violation: "It breaks no rule",
    other: "Something else, which the thread explains",
  } satisfies Record<Outcome, string>,
  { description: "The outcome" },
);

export const Report = Named(
  "Report",
  {
    id: Described(Id, "Id of the report"),
    reportType: ReportTypeOf,
    itemType: ItemTypeOf,
    itemId: Described(Id, "Id of what is reported"),
    body: Type.String({ description: "The reporter's text" }),
    reporter: Nullable(Id, "Id of the reporter; null where the account was deleted"),
    closed: Type.Boolean({ description: "Whether it is closed" }),
    createdAt: Described(Timestamp, "When it was made"),
    threadId: Described(Id, "Id of the conversation with moderators"),
    outcome: Nullable(OutcomeOf),
    caseId: Type.Optional(Type.String({ description: "For moderators: reports about the same thing share it" })),
  },
  { description: "A user's report to moderators" },
);
export type Report = Static<typeof Report>;

const ReportedItem = Named(
  "ReportedItem",
  {
    title: Type.String({ description: "Name of the project, number of the version, or username" }),
    projectId: Nullable(Id, "Id of the project; null for a user"),
    projectSlug: Nullable(Type.String(), "Name of the project in addresses; null for a user"),
    projectName: Nullable(Type.String(), "Name of the project; null for a user"),
  },
  { description: "The type of the reported object" },
);
export type ReportedItem = Static<typeof ReportedItem>;

const caseFields = {
  id: Described(Id, "Id of the case"),
  itemType: ItemTypeOf,
  itemId: Described(Id, "Id of what is reported"),
  item: Nullable(ReportedItem, "The reported object; null if it was deleted"),
  isUrgent: Type.Boolean({ description: "One of the reports says that it does harm" }),
  closed: Type.Boolean({ description: "Whether all its reports are closed" }),
  dateCreated: Described(Timestamp, "When the first report came"),
  dateUpdated: Described(Timestamp, "When the last report came"),
  dateClosed: Nullable(Timestamp, "When it was closed; null while it is open"),
  reportCount: Type.Integer({ description: "How many reports it has" }),
  reportTypes: Type.Array(ReportTypeOf, { description: "The reasons of the reports" }),
  claim: MaybeClaim,
};

export const ReportCase = Named("ReportCase", caseFields, { description: "All open reports about one thing" });
export type ReportCase = Static<typeof ReportCase>;

const CaseReport = Named(
  "CaseReport",
  {
    ...Report.properties,
    reporterName: Nullable(Type.String(), "Username of the reporter; null where the account was deleted"),
    isGuest: Type.Boolean({ description: "The reporter has no account and is told the outcome by mail" }),
    reporterHistory: Type.Object(
      {
        closed: Type.Integer({ description: "How many were closed" }),
        actionTaken: Type.Integer({ description: "How many of them led to something" }),
      },
      { description: "Earlier reports of the same reporter" },
    ),
  },
  { description: "A report with what moderators should know about the reporter" },
);
export type CaseReport = Static<typeof CaseReport>;

export const ReportCaseDetail = Named(
  "ReportCaseDetail",
  {
    ...caseFields,
    reports: Type.Array(CaseReport, { description: "The newest hundred" }),
  },
  { description: "A case with its reports" },
);
export type ReportCaseDetail = Static<typeof ReportCaseDetail>;
