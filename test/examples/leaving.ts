// The end of the tour: reading and deleting notifications, and deleting the created content.

import { notifyAboutVersions } from "#community/notifications/grouping.js";
import { write } from "#platform/changes/write.js";
import type { Tour } from "./tour.js";

export async function leave({ recorder, as, people, resources }: Tour): Promise<void> {
  const { known } = recorder;
  const grace = as.user(people.grace);
  /** Creates a notification to read or to delete. */
  const tell = async () => {
    await write(resources, { credential: "test" }, (tx) =>
      notifyAboutVersions(tx, known.get("projectId")!, new Map([[people.grace.id, [known.get("versionId")!]]])),
    );
    const [newest] = (await grace.get("/api/notifications")).body;
    return { actor: grace, params: { ref: "grace", id: newest.id as string }, query: `ids=${newest.id}` };
  };
  for (const verb of ["mark", "delete"])
    for (const which of ["Notification", "Notifications", "UserNotification", "UserNotifications"]) {
      const step = await tell();
      const query = which.endsWith("s") ? step.query : "";
      await recorder.call(`${verb}${which}${verb === "mark" ? "Read" : ""}`, { ...step, query });
    }
  await recorder.call("setNotificationSettings", { actor: grace });
  await recorder.call("closeReportCase");
  await recorder.call("updateReport", { actor: as.user(people.mo), json: { closed: false } });
  await recorder.call("unfollowProject", { actor: grace });
  await recorder.call("yankVersion", { json: { reason: "Crashes with other meadows" } });
  await recorder.call("unyankVersion");
  for (const id of [
    "deleteVersion",
    "deleteGalleryItem",
    "deleteTrustedPublisher",
    "deleteWebhook",
    "deleteCollection",
  ])
    await recorder.call(id);
  await recorder.call("leaveTeam", { actor: grace });
  const teamId = known.get("teamId")!;
  const invited = async () => {
    const { body } = await recorder.call("inviteMember", { json: { userName: "grace" } });
    await recorder.call("acceptInvite", { actor: grace });
    return body.data.id as string;
  };
  await recorder.call("removeMember", { params: { teamId, memberId: await invited() } });
  await invited();
  await recorder.call("transferOwnership", { json: { userId: people.grace.id } });
  await recorder.call("deleteProject", { actor: grace });
  await recorder.call("deleteOrganization");
  await recorder.call("deleteToken");
}
