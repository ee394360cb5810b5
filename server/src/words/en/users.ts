// English words of the profiles of users.
import { pluralsIn } from "#lib/plurals.js";

const plural = pluralsIn("en");

export const users = {
  shared: {
    all: "All",
    byType: "Projects by type",
    projects: "Projects",
    projectCount: (count: string, isOne: boolean) => `${count} ${isOne ? "project" : "projects"}`,
    downloadCount: (count: string, isOne: boolean) => `${count} ${isOne ? "download" : "downloads"}`,
    memberCount: (count: string, isOne: boolean) => `${count} ${isOne ? "member" : "members"}`,
    joined: "Joined",
    feed: "Release feed",
    more: "More",
    report: "Report",
    copyId: "Copy ID",
    members: "Members",
    owner: "Owner",
    /** The roles that members have by default are stored in English; others are texts of users. */
    role: (role: string) => role,
    pending: "Invited",
    facts: "Details",
  },
  user: {
    description: (name: string, count: number) =>
      `${name}: ${count} ${plural(count, { one: "project", other: "projects" })}.`,
    noProjects: (name: string) => `${name} has no projects yet`,
    ownNoProjects: "You have no projects yet",
    nothingOfType: "No projects of this type",
    seeAll: "View all projects",
    publish: "Publish a project",
    edit: "Edit profile",
    organizations: "Organizations",
    collections: "Collections",
    newCollection: "New collection",
    moderator: "Moderator",
    admin: "Administrator",
    deletedName: "Deleted user",
    deletedTitle: "This profile stands in for deleted accounts",
    deletedText:
      "Their projects stay online so that nothing that depends on them breaks. The names of the users are not kept.",
    visibility: { public: "Public", unlisted: "Unlisted", private: "Private" },
  },
};
