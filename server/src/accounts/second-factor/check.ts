// Checks the second factor of accounts that have one. Wrong answers are counted like wrong passwords.

import { secondFactorName, takeAttempt } from "#accounts/users/failures.js";
import { type Actor, write } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import { hasSecondFactor } from "./read.js";
import { takeCode } from "./write.js";

/**
 * Passes if the account has no second factor, or if the code is right; the code is used up. Returns which of the two.
 */
export async function checkSecondFactor(
  resources: Resources,
  actor: Actor,
  userId: string,
  code: string | undefined,
): Promise<boolean> {
  if (!(await hasSecondFactor(resources.db, userId))) return false;
  if (code === undefined) throw fail.secondFactorNeeded();
  const giveBack = await takeAttempt(resources, actor, [secondFactorName(userId)], userId);
  if (!(await write(resources, { ...actor, userId }, (tx) => takeCode(tx, userId, code))))
    throw fail.secondFactorWrong();
  await giveBack();
  return true;
}
