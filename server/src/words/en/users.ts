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
    feed: "Feed of new versions",
    report: "Report",
    copyId: "Copy id",
    members: "Members",
    owner: "Owner",
    pending: "Invited",
    facts: "Facts",
  },
  user: {
    description: (name: string, count: number) =>
      `${name}: ${count} ${plural(count, { one: "project", other: "projects" })}.`,
    noProjects: (name: string) => `${name} has published nothing yet`,
    ownNoProjects: "You have published nothing yet",
    nothingOfType: "Nothing of this type",
    seeAll: "See all projects",
    publish: "Publish a project",
    edit: "Edit profile",
    organizations: "Organizations",
    collections: "Collections",
    newCollection: "New collection",
    moderator: "Moderator",
    admin: "Administrator",
    deletedName: "Deleted user",
    deletedTitle: "This stands for people who have deleted their accounts",
    deletedText: "What they published stays, so that nothing that builds on it breaks. Who they were is not kept.",
    visibility: { public: "Public", unlisted: "Unlisted", private: "Private" },
  },
};
