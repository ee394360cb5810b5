// The account: getting in, and settings.
import type { Route } from "#platform/http/endpoint.js";
import { accountSettingsRoutes } from "./account.route.js";
import { leavingRoutes } from "./account-leaving.js";
import { confirmRoutes } from "./confirm.js";
import { confirmActionRoutes } from "./confirm-action.js";
import { leakedTokenRoutes } from "./leaked-token.js";
import { notificationSettingsRoutes } from "./notifications.js";
import { passkeyRoutes } from "./passkeys.js";
import { preferenceRoutes } from "./preference-routes.js";
import { profileRoutes } from "./profile.js";
import { resetRoutes } from "./reset.js";
import { revokeSessionRoutes } from "./revoke-session.js";
import { securityRoutes } from "./security.route.js";
import { securityLogRoutes } from "./security-log.js";
import { sessionSettingsRoutes } from "./sessions.js";
import { settingsRoutes } from "./settings.js";
import { shortcutRoutes } from "./shortcuts.js";
import { signInRoutes } from "./sign-in.route.js";
import { signUpRoutes } from "./sign-up.js";
import { tokenEditRoutes } from "./token-edit.js";
import { tokenListRoutes } from "./tokens.js";
import { unsubscribeRoutes } from "./unsubscribe.js";
import { verifyRoutes } from "./verify.js";

export const accountRoutes: Route[] = [
  ...signInRoutes,
  ...confirmRoutes,
  ...revokeSessionRoutes,
  ...confirmActionRoutes,
  ...signUpRoutes,
  ...settingsRoutes,
  ...profileRoutes,
  ...accountSettingsRoutes,
  ...leavingRoutes,
  ...securityRoutes,
  ...passkeyRoutes,
  ...sessionSettingsRoutes,
  ...tokenListRoutes,
  ...tokenEditRoutes,
  ...notificationSettingsRoutes,
  ...shortcutRoutes,
  ...securityLogRoutes,
  ...leakedTokenRoutes,
  ...resetRoutes,
  ...verifyRoutes,
  ...unsubscribeRoutes,
  ...preferenceRoutes,
];
