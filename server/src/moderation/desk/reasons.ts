// The reasons of decisions as data: the class for statistics, the text for authors, and a first sentence for the
// message.
import type { ProjectStatus } from "#platform/db/tables.js";

interface Reason {
  id: string;
  title: string;
  /** The decisions for which it can be the reason. */
  statuses: readonly ProjectStatus[];
  message: string;
}

const refusals: readonly ProjectStatus[] = ["rejected", "withheld", "draft"];

export const reasons = [
  {
    id: "fits",
    title: "No problems",
    statuses: ["approved"],
    message: "Thank you for your work: the project is public now.",
  },
  {
    id: "description",
    title: "Unclear description",
    statuses: refusals,
    message: "Please explain in the description what the project does and how to use it.",
  },
  {
    id: "metadata",
    title: "Wrong types, categories, versions or environments",
    statuses: refusals,
    message:
      "Please check the types, categories, game versions, loaders and environments of the project and its versions.",
  },
  {
    id: "media",
    title: "Missing or unsuitable pictures",
    statuses: refusals,
    message: "Please check the icon and the gallery: they must show the project and be appropriate for all visitors.",
  },
  {
    id: "licence",
    title: "Missing or wrong license",
    statuses: refusals,
    message: "Please choose a license that lets you publish everything in the files.",
  },
  {
    id: "links",
    title: "Misleading link",
    statuses: refusals,
    message: "Please check the links: each one must lead to what its label says.",
  },
  {
    id: "others_work",
    title: "Someone else's work",
    statuses: refusals,
    message: "The project contains someone else's work. Please show that you have permission to publish it.",
  },
  {
    id: "inappropriate",
    title: "Inappropriate",
    statuses: refusals,
    message: "The project contains something that is not appropriate for all visitors of this site.",
  },
  {
    id: "malicious",
    title: "Malicious",
    statuses: refusals,
    message: "A file of the project does something that its users would not want.",
  },
  {
    id: "name",
    title: "Misleading or squatted name",
    statuses: refusals,
    message: "Please choose a name and a URL that describe the project and cannot be mistaken for another one.",
  },
  {
    id: "spam",
    title: "Spam",
    statuses: refusals,
    message: "The project has no content of its own.",
  },
  {
    // Pages that were public before then answer 451 instead of 404.
    id: "legal",
    title: "Legal reasons",
    statuses: ["withheld"],
    message: "The project cannot be shown here for a legal reason.",
  },
  {
    id: "second_look",
    title: "Needs a second look",
    statuses: ["processing", "draft"],
    message: "We will take another look at the project.",
  },
  { id: "other", title: "Something else", statuses: ["approved", "processing", ...refusals], message: "" },
] as const satisfies readonly Reason[];

export type ReasonId = (typeof reasons)[number]["id"];
export const reasonIds = reasons.map(({ id }) => id);
export const reasonTitles = Object.fromEntries(reasons.map(({ id, title }) => [id, title])) as Record<ReasonId, string>;

/** Whether the reason names a problem, fixable or not, rather than a remark about the review. */
export const isProblem = (id: ReasonId): boolean => !["fits", "legal", "second_look", "other"].includes(id);

export const fitsDecision = (id: ReasonId, status: ProjectStatus): boolean =>
  reasons.some((reason) => reason.id === id && (reason.statuses as readonly ProjectStatus[]).includes(status));
