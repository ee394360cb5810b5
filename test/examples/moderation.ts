// The tour of the moderation desk and the administration.
import type { Tour } from "./tour.js";

export async function walkModeration({ recorder, as, people, make }: Tour): Promise<void> {
  const { known } = recorder;
  await make.confirmed(people.mo, people.root);
  await recorder.call("getProjectReview");
  known.set("/api/moderation/user ref", "linus");
  await recorder.call("suspendUser");
  await recorder.call("getModeratedUser");
  await recorder.call("unsuspendUser");
  const reason = "Reads saved passwords";
  await recorder.call("createQuarantine", { json: { versionId: known.get("versionId"), reason } });
  const [quarantine] = (await recorder.call("getQuarantines", { query: "" })).body;
  known.set("quarantineId", quarantine.id);
  await recorder.call("getQuarantine");
  await recorder.call("inspectVersion");
  await recorder.call("inspectVersionFile");
  await recorder.call("inspectContent");
  await recorder.call("liftQuarantine");
  const hash = "3c59dc048e8850243be8079a5c74d079".repeat(4);
  await recorder.call("denyHash", { json: { hash, reason } });
  await recorder.call("getDeniedHashes");
  await recorder.call("allowHash", { params: { hash } });
  for (const id of ["getAuditLog", "exportAuditLog"]) await recorder.call(id, { query: "" });
  const steady = (text: unknown) => String(text).replace(/ [\d.e+-]+$/gm, " 1");
  await recorder.call("getMetrics", { actor: as.bearer("not-a-secret-at-all"), steady });
  await recorder.call("getModerationQueue", { query: "" });
}
