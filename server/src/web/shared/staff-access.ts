// The access of pages and forms of the moderation desk and the administration. Only a browser session can use them, and for
// other users they do not exist.
import { admins, hidden, moderators, sessionOnly } from "#platform/http/access.js";

export const forModerators = hidden(moderators(sessionOnly("user_session_read")));
export const forAdmins = hidden(admins(sessionOnly("analytics_read")));
