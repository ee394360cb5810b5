// Reliability R-1 on a small scale: the server is killed during writes, repeatedly. Acknowledged writes exist
// afterwards, and others exist completely or not at all.
import { expect, test } from "vitest";
import { startServer, useProcesses } from "./program.js";

useProcesses();

const rounds = 5;
const writers = 4;

test("sign-ups that were acknowledged survive a SIGKILL at any moment", async () => {
  let server = await startServer();
  const acknowledged: { userName: string; password: string }[] = [];
  for (let round = 0; round < rounds; round++) {
    const { promise: enough, resolve } = Promise.withResolvers<void>();
    // A different moment each round, but never before a write was acknowledged.
    const wanted = acknowledged.length + 3 + round * 3;
    const end = new AbortController();
    const write = async (writer: number) => {
      for (let index = 0; !end.signal.aborted; index++) {
        const account = { userName: `user-${round}-${writer}-${index}`, password: `password ${round} ${index}` };
        const email = `${account.userName}@example.org`;
        const reply = await server.anyone.post("/api/auth/signup", { ...account, email }).catch(() => undefined);
        if (reply === undefined) return;
        expect(reply).toSucceed();
        acknowledged.push(account);
        if (acknowledged.length >= wanted) resolve();
      }
    };
    const writing = Array.from({ length: writers }, (_, writer) => write(writer));
    await enough;
    await server.kill();
    end.abort();
    await Promise.all(writing);

    server = await server.restart();
    const found = await Promise.all(acknowledged.map(({ userName }) => server.anyone.get(`/api/user/${userName}`)));
    expect(found.filter(({ status }) => status !== 200)).toEqual([]);
  }
  const last = acknowledged.at(-1);
  const signIn = { email: last?.userName, password: last?.password };
  expect(await server.anyone.post("/api/auth/signin/credential", signIn)).toSucceed();
  process.stdout.write(`${acknowledged.length} acknowledged sign-ups over ${rounds} kills, 0 lost\n`);

  // The file is intact, and the audit log's chain has neither a gap nor a partial entry.
  const doctor = await server.command("doctor", "--json");
  const { findings } = JSON.parse(doctor.stdout) as { findings: { check: string; level: string }[] };
  for (const name of ["database file", "audit log"])
    expect(findings.filter(({ check }) => check === name)).toEqual([expect.objectContaining({ level: "ok" })]);
});
