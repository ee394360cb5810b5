// The events of webhooks, and the limits of webhooks.
import type { EventType } from "#platform/changes/events.js";

/** The meaning of each event, for the documentation. A new event must be added here. */
export const eventMeanings: Record<EventType, string> = {
  "version.published": "A version was published",
  "version.edited": "A version was edited, got a file, or is offered again",
  "version.yanked": "A version was withdrawn by its authors",
  "version.deleted": "A version was deleted",
  "project.edited": "The project's name, texts, icon, categories, links or license were edited",
  "project.status_changed": "The project was submitted, approved, withheld, rejected or withdrawn",
  "project.deleted": "The project was deleted",
};

export const eventTypes = Object.keys(eventMeanings) as EventType[];

export const maxPerOwner = 10;
