// Why moderators decide as they do, as data: the class that statistics count by, in words that authors are shown, and a
// sentence to begin the message with.
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
    title: "Everything is as it should be",
    statuses: ["approved"],
    message: "Thank you for your work: the project is public now.",
  },
  {
    id: "description",
    title: "The description says too little",
    statuses: refusals,
    message: "Please say in the description what the project does and how to use it.",
  },
  {
    id: "metadata",
    title: "Types, categories, versions or sides are wrong",
    statuses: refusals,
    message: "Please check the types, categories, game versions, loaders and sides of the project and its versions.",
  },
  {
    id: "media",
    title: "Pictures are missing or unfit",
    statuses: refusals,
    message: "Please check the icon and the gallery: they must show the project and be fit for everybody.",
  },
  {
    id: "licence",
    title: "The licence is missing or does not fit",
    statuses: refusals,
    message: "Please choose the licence under which you may publish everything that is in the files.",
  },
  {
    id: "links",
    title: "A link leads elsewhere",
    statuses: refusals,
    message: "Please check the links: each must lead to what its label says.",
  },
  {
    id: "others_work",
    title: "Somebody else's work",
    statuses: refusals,
    message: "The project holds work of others. Please show that you may publish it.",
  },
  {
    id: "inappropriate",
    title: "Not fit for everybody",
    statuses: refusals,
    message: "The project holds something that is not fit for everybody who visits this site.",
  },
  {
    id: "malicious",
    title: "It does harm",
    statuses: refusals,
    message: "A file of the project does something that its users would not want.",
  },
  {
    id: "name",
    title: "The name misleads or is held without use",
    statuses: refusals,
    message: "Please choose a name and an address that say what the project is and that nobody takes for another.",
  },
  {
    id: "spam",
    title: "Advertising or no content of its own",
    statuses: refusals,
    message: "The project has no content of its own.",
  },
  {
    // Pages that were public before then say so (451), instead of counting as absent.
    id: "legal",
    title: "The law or a court forbids it",
    statuses: ["withheld"],
    message: "The project cannot be shown here for a legal reason.",
  },
  {
    id: "second_look",
    title: "It needs another look",
    statuses: ["processing", "draft"],
    message: "We look at the project again.",
  },
  { id: "other", title: "Another reason", statuses: ["approved", "processing", ...refusals], message: "" },
] as const satisfies readonly Reason[];

export type ReasonId = (typeof reasons)[number]["id"];
export const reasonIds = reasons.map(({ id }) => id);
export const reasonTitles = Object.fromEntries(reasons.map(({ id, title }) => [id, title])) as Record<ReasonId, string>;

/** Whether the reason names a problem, fixable or not, rather than a remark about the review. */
export const isProblem = (id: ReasonId): boolean => !["fits", "legal", "second_look", "other"].includes(id);

export const fitsDecision = (id: ReasonId, status: ProjectStatus): boolean =>
  reasons.some((reason) => reason.id === id && (reason.statuses as readonly ProjectStatus[]).includes(status));
