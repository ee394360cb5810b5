// `shelf logout`: forgets the token of a registry, and revokes it there.
import { defineCommand } from "#shelf/command.js";
import { describe } from "#shelf/failures.js";

export const logout = defineCommand({
  name: "logout",
  usage: "[--host URL]",
  summary: "Sign out of a registry, and revoke the token there.",
  options: {},
  words: [0, 0],
  async run({ host, accounts, connect, env, terminal, signal }) {
    const account = (await accounts.read()).accounts[host];
    if (env.SHELF_TOKEN) terminal.warn("The variable SHELF_TOKEN is set. Its token is still used, and not revoked.");
    if (!account)
      return { data: { host, wasSignedIn: false, isRevoked: false }, lines: [`You are not signed in to ${host}.`] };
    let isRevoked = false;
    try {
      await connect(host, undefined).call("revokeDeviceToken", { body: { token: account.token }, signal });
      isRevoked = true;
    } catch (error) {
      if (signal.aborted) throw error;
      terminal.warn(`The token could not be revoked: ${describe(error).message}`);
      terminal.warn(`Revoke it by hand: ${host}/settings/pats`);
    }
    await accounts.change((stored) => {
      delete stored.accounts[host];
    });
    return { data: { host, wasSignedIn: true, isRevoked }, lines: [`You are signed out of ${host}.`] };
  },
});
