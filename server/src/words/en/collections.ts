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
    emptyOwn: "Nothing is in here yet",
    browse: "Browse projects",
    add: "Add projects",
    nothingFits: "Nothing here works with your setup",
    nothingOfType: "Nothing of this type",
    seeAll: "See all projects",
    hidden: (count: number) =>
      plural(count, { one: "One project in here is not public.", other: `${count} projects in here are not public.` }),
    filter: (setup: string) => `Only what works with ${setup}`,
    unfilter: (setup: string) => `Shown: what works with ${setup}. Show all`,
    makeCopy: "Make it mine",
    download: "Download all",
    take: {
      title: (name: string) => `Download ${name}`,
      choose: "Choose what you play with, to see which files that means.",
      all: (files: number, size: string) =>
        plural(files, { one: `Download 1 file (${size})`, other: `Download all (${files} files, ${size})` }),
      empty: "There is nothing in it to download",
      back: "To the collection",
      nothing: "Nothing in here works with that",
      nothingHint: "Try another game version or loader, or less stable versions.",
      tooHard: "Not all of it goes together",
      tooHardHint: "Each project has a download page of its own.",
      leftOut: (count: number) =>
        plural(count, { one: "One project is left out", other: `${count} projects are left out` }),
      because: {
        place: "has no version for this",
        channel: "has no version that is stable enough",
      },
    },
    visibility: { public: "Public", unlisted: "Unlisted", private: "Private" },
    form: {
      newTitle: "New collection",
      newLead: "A list of projects: to share, or to find again.",
      editTitle: (name: string) => `Edit ${name}`,
      create: "Create collection",
      name: "Name",
      nameHint: "2 to 32 characters",
      description: "Description",
      visibility: "Who sees it",
      visibilities: {
        public: "Public: everybody, and it is on your profile",
        unlisted: "Unlisted: everybody who knows the address",
        private: "Private: you alone",
      },
      icon: "Picture",
      iconHint: "PNG, JPEG, GIF or WebP. It is cut to a square.",
      removeIcon: "Remove the picture",
      projects: "Projects",
      addLabel: "Add a project",
      addHint: "Its address, slug or id",
      add: "Add",
      added: "Added.",
      removed: (name: string) => `${name} is out of the collection.`,
      delete: "Delete collection",
      deleteTitle: (name: string) => `Delete ${name}?`,
      deleteText: "The list is lost, and its address leads nowhere from then on. The projects in it stay.",
      back: "To the collection",
    },
  },
};
