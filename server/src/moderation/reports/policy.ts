// Which reports this site takes.

import type { Config } from "#config/config.js";
import { type ReportType, reportTypes } from "#lib/report-types.js";
import { invalid } from "#platform/errors.js";
import { say } from "#words/said.js";

/** The reasons that the operator has not turned off. */
export const listReasons = ({ reportReasonsOff }: Pick<Config, "reportReasonsOff">): ReportType[] =>
  reportTypes.filter((type) => !(reportReasonsOff as readonly ReportType[]).includes(type));

export function refuseReasonOff(config: Pick<Config, "reportReasonsOff">, type: ReportType): void {
  const reasons = listReasons(config);
  if (!reasons.includes(type)) throw invalid({ path: "reportType", message: say.problems.oneOf(reasons.join(", ")) });
}
