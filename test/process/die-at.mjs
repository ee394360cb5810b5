// Loaded into the real server before it starts: kills it at the fail point that DIE_AT names, like a power failure.
import { armFailPoint } from "../../dist/server/src/lib/fail-points.js";

if (process.env.DIE_AT) armFailPoint(process.env.DIE_AT, () => process.kill(process.pid, "SIGKILL"));
