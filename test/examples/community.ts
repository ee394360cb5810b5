// The tour of readers' actions: following, collecting, notifications, reporting; and webhooks.

import { createFeedKey } from "#integrations/feeds/write.js";
import { write } from "#platform/changes/write.js";
import { releaseOf, type Tour } from "./tour.js";

export async function walkCommunity(tour: Tour): Promise<void> {
  await walkWebhooks(tour);
  await walkFollows(tour);
  await walkCollections(tour);
  await walkReports(tour);
}

async function walkFollows({ recorder, as, people, app, resources, clock }: Tour): Promise<void> {
  const grace = as.user(people.grace);
  await recorder.call("followProject", { actor: grace });
  await recorder.call("setFollowPreferences", { actor: grace, json: { mode: "all" } });
  for (const id of ["getFollowedProjects", "getFollows", "getFollow"]) await recorder.call(id, { actor: grace });
  await recorder.call("followProject", { actor: grace, params: { ref: "meadow-core" }, json: { mode: "all" } });
  for (const id of ["followUser", "getUserFollow", "unfollowUser"])
    await recorder.call(id, { actor: grace, params: { ref: "ada" } });
  for (const id of ["followOrganization", "getOrganizationFollow", "unfollowOrganization"])
    await recorder.call(id, { actor: grace });
  for (const versionNumber of ["2.1.0", "2.2.0"]) {
    await recorder.call("createVersion", { params: { ref: "meadow-core" }, form: releaseOf(versionNumber) });
    clock.advance(3_600_000);
    await app.jobs.settle();
  }
  const told: { id: string }[] = (await recorder.call("getNotifications", { actor: grace })).body;
  const params = { ref: "grace", id: told[0]!.id };
  for (const id of ["getNotification", "getUserNotification", "getUserNotifications", "countUnread", "countUserUnread"])
    await recorder.call(id, { actor: grace, params });
  const key = await write(resources, { credential: "test" }, (tx) => createFeedKey(tx, people.grace.id));
  await recorder.call("getFollowingFeed", { params: { format: "atom" }, query: `key=${key}` });
  recorder.known.set("format", "atom");
  recorder.known.set("badge", "downloads.json");
  recorder.known.set("/sitemaps file", "pages-1.xml");
  recorder.known.set("/cdn/sitemap file", "sitemap.xml");
  recorder.known.set("/api/tags/licenses id", "MIT");
}

async function walkCollections({ recorder, people }: Tour): Promise<void> {
  const { known } = recorder;
  const json = { name: "Meadows", description: "Everything that grows", visibility: "public" };
  known.set("id", (await recorder.call("createCollection", { json })).body.collectionId);
  await recorder.call("editCollection", { json: { description: "Everything that grows." } });
  const projects = [known.get("projectId")];
  await recorder.call("addCollectionProjects", { json: { projects } });
  known.set("/api/collections id", known.get("id")!);
  await recorder.call("getCollection");
  await recorder.call("getCollectionProjects");
  await recorder.call("removeCollectionProjects", { json: { projects } });
  await recorder.call("addCollectionProjects", { json: { projects } });
  known.set("/cdn/data/user id", people.ada.id);
}

async function walkReports({ recorder, as, people, resources, make }: Tour): Promise<void> {
  const { known } = recorder;
  const grace = as.user(people.grace);
  const about = { itemType: "project", itemId: known.get("libraryId")! };
  const { body } = await recorder.call("createReport", {
    actor: grace,
    json: { reportType: "spam", ...about, body: "The archive holds a program that reads saved passwords." },
  });
  known.set("reportId", body.reportId);
  const { case_id } = await resources.db
    .selectFrom("reports")
    .select("case_id")
    .where("id", "=", body.reportId)
    .executeTakeFirstOrThrow();
  known.set("caseId", case_id!);
  await recorder.call("getReports", { actor: grace, query: "" });
  await recorder.call("getExistingReport", { actor: grace, query: new URLSearchParams(about).toString() });
  const report = (await recorder.call("getReport", { actor: grace })).body;
  known.set("threadId", report.threadId);
  await make.confirmed(people.mo);
  await recorder.call("getAllReports", { query: "" });
  const said = await recorder.call("createThreadMessage", {
    actor: grace,
    json: { message: "It is in version 2.1.0." },
  });
  known.set("messageId", said.body.messageId);
  await recorder.call("getThread", { actor: grace, query: "" });
  await recorder.call("deleteThreadMessage", { actor: as.user(people.mo) });
  await recorder.call("claimReportCase");
  await recorder.call("releaseReportCase");
}

async function walkWebhooks({ recorder, receiver, app }: Tour): Promise<void> {
  const json = { url: receiver.url, events: ["version.published"] };
  await recorder.call("createOrganizationWebhook", { json });
  const { webhook } = (await recorder.call("createProjectWebhook", { json })).body;
  recorder.known.set("webhookId", webhook.id);
  await recorder.call("pingWebhook");
  await app.jobs.settle();
  const [delivery] = (await recorder.call("listWebhookDeliveries")).body.deliveries;
  recorder.known.set("deliveryId", delivery.id);
  await recorder.call("getWebhookDelivery");
  await recorder.call("redeliverWebhook");
  await recorder.call("editWebhook", { json });
  await recorder.call("rotateWebhookSecret");
}
