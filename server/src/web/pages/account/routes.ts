// The pages of the account: signing in and settings.
import type { Route } from "#platform/http/endpoint.js";
import { accountSettingsRoutes } from "./account.route.js";
import { leavingRoutes } from "./account-leaving.route.js";
import { applicationPageRoutes } from "./applications.route.js";
import { confirmRoutes } from "./confirm.route.js";
import { confirmActionRoutes } from "./confirm-action.route.js";
import { connectionRoutes } from "./connections.route.js";
import { consentRoutes } from "./consent.route.js";
import { deviceRoutes } from "./device.route.js";
import { leakedTokenRoutes } from "./leaked-token.route.js";
import { notificationSettingsRoutes } from "./notifications.route.js";
import { passkeyRoutes } from "./passkeys.route.js";
import { preferenceRoutes } from "./preferences.route.js";
import { profileRoutes } from "./profile.route.js";
import { resetRoutes } from "./reset.route.js";
import { revokeSessionRoutes } from "./revoke-session.route.js";
import { securityRoutes } from "./security.route.js";
import { securityLogRoutes } from "./security-log.route.js";
import { sessionSettingsRoutes } from "./sessions.route.js";
import { settingsRoutes } from "./settings.route.js";
import { shortcutRoutes } from "./shortcuts.route.js";
import { signInRoutes } from "./sign-in.route.js";
import { signUpRoutes } from "./sign-up.route.js";
import { tokenEditRoutes } from "./token-edit.route.js";
import { tokenListRoutes } from "./tokens.route.js";
import { unsubscribeRoutes } from "./unsubscribe.route.js";
import { verifyRoutes } from "./verify.route.js";

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
  ...connectionRoutes,
  ...applicationPageRoutes,
  ...consentRoutes,
  ...deviceRoutes,
  ...leakedTokenRoutes,
  ...resetRoutes,
  ...verifyRoutes,
  ...unsubscribeRoutes,
  ...preferenceRoutes,
];
