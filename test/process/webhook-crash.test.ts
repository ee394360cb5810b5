// Reliability R-11: the real server is killed while a webhook's message is being sent. No message is lost, and a
// message that is sent twice has the same id.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { startReceiver } from "#test/setup/webhook-receiver.js";
import { type RunningServer, startServer, useProcesses } from "./program.js";

useProcesses();

const rounds = 3;

/** Makes the leases of jobs and webhooks expire. */
function letLeasesEnd({ cwd }: RunningServer): void {
  const database = new DatabaseSync(join(cwd, "data/modshelf.db"));
  database.exec("UPDATE jobs SET lease_until = NULL; UPDATE webhooks SET date_busy = NULL");
  database.close();
}

test("a message in progress when the server was killed is sent again with the same id, and recorded once", async () => {
  const receiver = await startReceiver();
  let server = await startServer({ settings: { MODSHELF_WEBHOOK_ALLOW_PRIVATE: "on", MODSHELF_REVIEW: "off" } });
  const signUp = await server.anyone.post("/api/auth/signup", {
    ...{ userName: "author", email: "author@example.org", password: "a long enough password" },
  });
  const cookie = signUp.headers.get("set-cookie")!;
  const author = () => server.withCookie(cookie);
  const project = { name: "Crash", slug: "crash", type: ["mod"], visibility: "listed", summary: "x" };
  expect(await author().post("/api/project", project)).toSucceed();
  const added = await author().post("/api/project/crash/webhooks", { url: receiver.url, events: ["project.edited"] });
  expect(added).toSucceed();

  for (let round = 0; round < rounds; round++) {
    const before = receiver.messages.length;
    // The message has arrived completely; whether the answer reaches the server is undetermined, as in reality.
    const { program } = server;
    receiver.answers = [(response) => void (program.child.kill("SIGKILL") && response.writeHead(204).end())];
    // The answer to this may be lost with the server.
    const edited = author()
      .patch("/api/project/crash", { summary: `round ${round}` })
      .catch(() => undefined);
    await program.exited;
    await edited;
    letLeasesEnd(server);
    server = await server.restart();
    await expect.poll(() => receiver.messages.length).toBe(before + 2);
    const [first, second] = receiver.messages.slice(before).map(({ headers }) => headers["webhook-id"]);
    expect(second).toBe(first);
  }
  const path = `/api/webhook/${added.body.webhook.id}/deliveries`;
  const outcomes = async () => {
    const { deliveries } = (await author().get(path)).body;
    return deliveries.map(({ status, attempts }: { status: string; attempts: number }) => [status, attempts]);
  };
  await expect.poll(outcomes).toEqual(Array(rounds).fill(["delivered", 1]));
  const ids = new Set(receiver.messages.map(({ headers }) => headers["webhook-id"]));
  process.stdout.write(`${rounds} kills, ${receiver.messages.length} messages, ${ids.size} ids, 0 lost\n`);
  expect(ids.size).toBe(rounds);
});
