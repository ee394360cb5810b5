// English words of the pages about collections.
import { pluralsIn } from "#lib/plurals.js";

const plural = pluralsIn("en");

export const collections = {
  collection: {
    description: (name: string, curator: string, count: number) =>
      `${name}, a collection by ${curator}: ${count} ${plural(count, { one: "project", other: "projects" })}.`,
    by: "Collection by",
    updated: "Updated",
    edit: "Edit collection",
    empty: "This collection is empty",
    emptyOwn: "No projects yet",
    browse: "Browse projects",
    add: "Add projects",
    nothingFits: "Nothing in this collection works with your setup",
    nothingOfType: "No projects of this type",
    seeAll: "View all projects",
    hidden: (count: number) =>
      plural(count, {
        one: "1 project in this collection is not public.",
        other: `${count} projects in this collection are not public.`,
      }),
    filter: (setup: string) => `Only show what works with ${setup}`,
    unfilter: (setup: string) => `Showing only what works with ${setup}. Show all`,
    makeCopy: "Copy to my collections",
    download: "Download all",
    take: {
      title: (name: string) => `Download ${name}`,
      choose: "Choose your game version and loader to see the files.",
      all: (files: number, size: string) =>
        plural(files, { one: `Download 1 file (${size})`, other: `Download all (${files} files, ${size})` }),
      empty: "This collection has nothing to download",
      back: "Back to collection",
      nothing: "Nothing in this collection works with your selection",
      nothingHint: "Try another game version or loader, or include less stable versions.",
      tooHard: "Some of these projects do not work together",
      tooHardHint: "You can download each project from its own page.",
      leftOut: (count: number) =>
        plural(count, { one: "1 project is not included", other: `${count} projects are not included` }),
      because: {
        place: "has no version for your selection",
        channel: "has no version that is stable enough",
      },
    },
    visibility: { public: "Public", unlisted: "Unlisted", private: "Private" },
    form: {
      newTitle: "New collection",
      newLead: "A list of projects to share or keep for yourself.",
      editTitle: (name: string) => `Edit ${name}`,
      create: "Create collection",
      name: "Name",
      nameHint: "2 to 32 characters",
      description: "Description",
      visibility: "Visibility",
      visibilities: {
        public: "Public: listed on your profile",
        unlisted: "Unlisted: anyone with the link",
        private: "Private: only you",
      },
      icon: "Icon",
      iconHint: "PNG, JPEG, GIF or WebP. It is cropped to a square.",
      removeIcon: "Remove icon",
      projects: "Projects",
      addLabel: "Add a project",
      addHint: "Its URL, slug or ID",
      add: "Add",
      added: "Added.",
      removed: (name: string) => `${name} was removed.`,
      delete: "Delete collection",
      deleteTitle: (name: string) => `Delete ${name}?`,
      deleteText: "This cannot be undone, and its link stops working. The projects in it are not deleted.",
      back: "Back to collection",
    },
  },
};
