// Lets only one command prepare this folder at a time. The lock is a folder; stale locks are recognised.
import { mkdirSync, readdirSync, rmdirSync, statSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { root } from "./files.mjs";
import { Failure, say } from "./process.mjs";

const lock = join(root, ".runtime", "lock");
const pollMs = 100;
const beatMs = 1_000;
// A process id alone does not prove that the owner is alive: after a restart, especially of a container, ids are
// reused.
const silentMs = 20_000;

export async function withLock(work) {
  let isTold = false;
  while (!acquire()) {
    const owner = findOwner();
    if (owner && !isTold) say(`Waiting for ${owner}, which is preparing the same folder.`);
    isTold ||= owner !== undefined;
    await sleep(pollMs);
  }
  const mine = join(lock, String(process.pid));
  const heart = setInterval(() => attempt(() => utimesSync(mine, new Date(), new Date())), beatMs).unref();
  try {
    return await work();
  } finally {
    clearInterval(heart);
    release(process.pid);
  }
}

function acquire() {
  try {
    mkdirSync(join(root, ".runtime"), { recursive: true });
    return attempt(() => mkdirSync(lock)) && attempt(() => writeFileSync(join(lock, String(process.pid)), ""));
  } catch (error) {
    throw new Failure(
      `${root} must be prepared, but it is not writable (${error.message}). Run this command once as its owner.`,
    );
  }
}

/** Describes the living owner of the lock. The lock of a dead owner is removed. */
function findOwner() {
  let owner;
  if (!attempt(() => ([owner] = readdirSync(lock)))) return undefined;
  if (owner === undefined) {
    // It is being taken or released at this moment, or its owner died doing so.
    if (isSilent(lock)) attempt(() => rmdirSync(lock));
    return undefined;
  }
  if (isAlive(Number(owner)) && !isSilent(join(lock, owner))) return `process ${owner}`;
  release(owner);
  return undefined;
}

// If several processes find the same dead owner, only the one that removes its file removes the folder, so that none of
// them can remove a new lock. A folder that cannot be removed is found stale later.
function release(owner) {
  const isMine = attempt(() => unlinkSync(join(lock, String(owner))), ["EPERM", "EBUSY"]);
  if (isMine) attempt(() => rmdirSync(lock), ["EPERM", "EBUSY"]);
}

function isAlive(pid) {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

function isSilent(path) {
  let age = 0;
  attempt(() => {
    age = Date.now() - statSync(path).mtimeMs;
  });
  return age > silentMs;
}

/** Whether `action` succeeded; false if another process was faster, or for one of the `excused` errors. */
function attempt(action, excused = []) {
  try {
    action();
    return true;
  } catch (error) {
    if (["EEXIST", "ENOENT", "ENOTEMPTY", ...excused].includes(error.code)) return false;
    throw error;
  }
}
