// The sentences of notifications, as a table.
import { expect, test } from "vitest";
import type { NotificationNames } from "#words/en/notifications.js";
import type { Locale } from "#words/languages.js";
import { sentenceFor } from "./sentences.js";

const noNames: NotificationNames = {
  ...{ project: undefined, organization: undefined, inviter: undefined },
  ...{
    versions: [],
    versionCount: 1,
    role: "",
    status: "",
    user: undefined,
    author: undefined,
    token: "",
    daysLeft: 0,
  },
};

test.each<[string, Partial<NotificationNames>, string]>([
  [
    "team_invite",
    { inviter: "ada", project: "Lamps", role: "Member" },
    "ada invited you to join the team of Lamps as Member",
  ],
  ["team_invite", {}, "You are invited to join the team of a project"],
  ["organization_invite", { inviter: "ada", organization: "Makers" }, "ada invited you to join Makers"],
  ["ownership_offer", { inviter: "ada", project: "Lamps" }, "ada wants to transfer Lamps to you"],
  ["project_published", { author: "ada", project: "Lamps" }, "ada published a new project: Lamps"],
  ["project_published", {}, "An author you follow published a new project"],
  ["ownership_taken", { user: "bob", organization: "Makers" }, "bob is now the owner of Makers"],
  ["ownership_declined", {}, "A user declined the ownership of a team"],
  ["token_expiring", { token: "CI", daysLeft: 14 }, "Your token CI expires in 14 days"],
  ["token_expiring", { token: "CI", daysLeft: 1 }, "Your token CI expires in 1 day"],
  ["token_expiring", { token: "CI", daysLeft: 0 }, "Your token CI has expired"],
  [
    "version_withdrawn",
    { project: "Lamps", versions: ["1.0"] },
    "Version 1.0 of Lamps was yanked because of a security issue. Its page says why",
  ],
  ["status_change", { project: "Lamps", status: "approved" }, "Lamps was approved"],
  ["status_change", { status: "unheard of" }, "Your project has a new status"],
  ["version_published", { project: "Lamps" }, "Lamps has a new version"],
  ["version_published", { project: "Lamps", versions: ["1.0"] }, "Lamps has a new version: 1.0"],
  ["version_published", { versions: ["2", "1"], versionCount: 2 }, "A project you follow has 2 new versions: 2 and 1"],
  [
    "version_published",
    { project: "Lamps", versions: ["5", "4", "3", "2"], versionCount: 60 },
    "Lamps has 60 new versions: 5, 4, 3 and 57 more",
  ],
  ["report_closed", {}, "Your report was closed"],
  ["version_released", { project: "Lamps" }, "A version of Lamps is no longer quarantined"],
  ["something_new", { project: "Lamps" }, "There is news about Lamps"],
  ["toString", {}, "There is news about your account"],
])("%s of %j", (type, names, expected) => {
  expect(sentenceFor(type, { ...noNames, ...names })).toBe(expected);
});

test.each<[Locale, string, Partial<NotificationNames>, string]>([
  [
    "de",
    "organization_invite",
    { inviter: "ada", organization: "Makers", role: "Member" },
    "ada hat dich zu Makers eingeladen (als Mitglied)",
  ],
  ["de", "team_invite", {}, "Du bist in das Team von einem Projekt eingeladen"],
  [
    "de",
    "version_published",
    { project: "Lamps", versions: ["5", "4", "3", "2"], versionCount: 60 },
    "Lamps hat 60 neue Versionen: 5, 4, 3 und 57 weitere",
  ],
  ["de", "token_expiring", { token: "CI", daysLeft: 1 }, "Dein Token CI läuft in 1 Tag ab"],
  [
    "zh",
    "organization_invite",
    { inviter: "ada", organization: "Makers", role: "Member" },
    "ada 邀请你加入 Makers，角色为“成员”",
  ],
  ["zh", "project_published", { author: "ada", project: "Lamps" }, "ada 发布了新项目：Lamps"],
])("in %s: %s of %j", (locale, type, names, expected) => {
  expect(sentenceFor(type, { ...noNames, ...names }, locale)).toBe(expected);
});
