// What members of a team can be allowed to do, in plain words, and the roles that stand for several of these.
import type { OrgPermission, ProjectPermission } from "#content/members/permissions.js";
import { defineTexts } from "#web/texts.js";

export const permissionTexts = defineTexts({
  en: {
    inProjects: "In the projects of the organization",
    inOrg: "In the organization itself",
    project: {
      upload_version: "Upload versions",
      delete_version: "Delete versions",
      edit_details: "Edit details",
      edit_description: "Edit the description",
      manage_invites: "Invite members",
      remove_member: "Remove members",
      edit_member: "Edit members",
      delete_project: "Delete the project",
      view_analytics: "See statistics",
      view_revenue: "See revenue",
    },
    org: {
      edit_details: "Edit details",
      manage_invites: "Invite members",
      remove_member: "Remove members",
      edit_member: "Edit members",
      add_project: "Add projects",
      remove_project: "Take projects out",
      delete_organization: "Delete the organization",
      edit_member_default_permissions: "Pass on permissions in projects",
    },
    roles: {
      maintainer: "Maintainer",
      publisher: "Publisher",
      editor: "Editor",
      viewer: "Viewer",
      custom: "As ticked below",
    },
    roleHints: {
      maintainer: "Everything but deleting: projects, versions, members",
      publisher: "Uploads versions, edits projects, adds new ones",
      editor: "Edits details and descriptions of projects",
      viewer: "Sees drafts and private projects, changes nothing",
      custom: "Exactly the single permissions that you tick",
    },
    single: "Single permissions",
  },
  de: {
    inProjects: "In den Projekten der Organisation",
    inOrg: "In der Organisation selbst",
    project: {
      upload_version: "Versionen hochladen",
      delete_version: "Versionen löschen",
      edit_details: "Angaben bearbeiten",
      edit_description: "Beschreibung bearbeiten",
      manage_invites: "Mitglieder einladen",
      remove_member: "Mitglieder entfernen",
      edit_member: "Mitglieder bearbeiten",
      delete_project: "Projekt löschen",
      view_analytics: "Statistik sehen",
      view_revenue: "Einnahmen sehen",
    },
    org: {
      edit_details: "Angaben bearbeiten",
      manage_invites: "Mitglieder einladen",
      remove_member: "Mitglieder entfernen",
      edit_member: "Mitglieder bearbeiten",
      add_project: "Projekte hinzufügen",
      remove_project: "Projekte herausnehmen",
      delete_organization: "Organisation löschen",
      edit_member_default_permissions: "Rechte in Projekten weitergeben",
    },
    roles: {
      maintainer: "Betreuung",
      publisher: "Veröffentlichung",
      editor: "Redaktion",
      viewer: "Einsicht",
      custom: "Wie unten angekreuzt",
    },
    roleHints: {
      maintainer: "Alles außer Löschen: Projekte, Versionen, Mitglieder",
      publisher: "Lädt Versionen hoch, bearbeitet Projekte, fügt neue hinzu",
      editor: "Bearbeitet Angaben und Beschreibungen der Projekte",
      viewer: "Sieht Entwürfe und private Projekte, ändert nichts",
      custom: "Genau die einzelnen Berechtigungen, die du ankreuzt",
    },
    single: "Einzelne Berechtigungen",
  },
});

export type RoleName = "maintainer" | "publisher" | "editor" | "viewer";

interface RoleRights {
  project: readonly ProjectPermission[];
  org: readonly OrgPermission[];
}

export const roleRights: Record<RoleName, RoleRights> = {
  maintainer: {
    project: [
      "upload_version",
      "delete_version",
      "edit_details",
      "edit_description",
      "manage_invites",
      "remove_member",
      "edit_member",
      "view_analytics",
    ],
    org: ["edit_details", "manage_invites", "remove_member", "edit_member", "add_project", "remove_project"],
  },
  publisher: {
    project: ["upload_version", "edit_details", "edit_description", "view_analytics"],
    org: ["add_project"],
  },
  editor: { project: ["edit_details", "edit_description"], org: [] },
  viewer: { project: [], org: [] },
};

export const roleNames = Object.keys(roleRights) as RoleName[];
