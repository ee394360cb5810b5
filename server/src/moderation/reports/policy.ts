// The kinds of reports that this site accepts.
import type { Config } from "#config/config.js";
import { type ReportType, reportTypes } from "#lib/report-types.js";
import { invalid } from "#platform/errors.js";

/** The reasons that the operator has not turned off. */
export const listReasons = ({ reportReasonsOff }: Pick<Config, "reportReasonsOff">): ReportType[] =>
  reportTypes.filter((type) => !(reportReasonsOff as readonly ReportType[]).includes(type));

export function refuseReasonOff(config: Pick<Config, "reportReasonsOff">, type: ReportType): void {
  const reasons = listReasons(config);
  if (!reasons.includes(type)) throw invalid({ path: "reportType", message: `must be one of ${reasons.join(", ")}` });
}
