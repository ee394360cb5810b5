// Two servers on one database do the same thing at the same moment.
import { describe, expect, test } from "vitest";
import { createAccount } from "#accounts/users/write.js";
import { Failure } from "#platform/errors.js";
import { testApp, uniqueName } from "#test/server/harness.js";
import { write } from "./write.js";

const here = await testApp();
const there = await testApp({ sharedWith: here });
const nodes = [here, there];

describe("accounts with the same name", () => {
  test.each([1, 2, 3])(
    "fifty concurrent creations on two servers: one succeeds, 49 are refused with 409 (round %i)",
    async () => {
      const name = uniqueName("race");
      const outcomes = await Promise.allSettled(
        Array.from({ length: 50 }, (_, at) =>
          write(nodes[at % 2]!.resources, {}, (tx) =>
            createAccount(tx, {
              // The same name in different case, and every other one with the same email address too.
              userName: at % 3 ? name : name.toUpperCase(),
              email: `${at % 2 ? name : `${name}-${at}`}@example.com`,
              emailVerified: false,
              passwordHash: null,
              role: "user",
            }),
          ),
        ),
      );
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      for (const outcome of outcomes) {
        if (outcome.status === "fulfilled") continue;
        expect(outcome.reason).toBeInstanceOf(Failure);
        expect([outcome.reason.status, outcome.reason.code]).toEqual([
          409,
          expect.stringMatching(/^(userNameTaken|emailTaken)$/),
        ]);
      }
      const users = await here.resources.db
        .selectFrom("users")
        .select("user_name")
        .where("email", "like", `${name}%`)
        .execute();
      expect(users.map((user) => user.user_name.toLowerCase())).toEqual([name]);
    },
  );

  test("eight concurrent sign-ups over HTTP: one gets an account, the others 409", async () => {
    const name = uniqueName("race");
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        nodes[at % 2]!.as.anyone.post("/api/auth/signup", {
          userName: name,
          email: `${name}-${at}@example.com`,
          password: "correct horse battery",
        }),
      ),
    );
    const [winner, ...more] = replies.filter(({ status }) => status === 200);
    expect(more).toEqual([]);
    for (const reply of replies) if (reply !== winner) expect(reply).toFail(409, "userNameTaken");
  });
});

describe("a credential that is revoked on one server", () => {
  test("is invalid on the other at once: token, session, account", async () => {
    const user = await here.make.user();
    const pat = await here.make.token(user, { scopes: ["user_read"] });
    const me = (node: typeof here) =>
      [node.as.user(user), node.as.bearer(pat.value)].map((actor) => actor.get("/api/auth/me"));
    for (const reply of await Promise.all([...me(here), ...me(there)])) expect(reply).toSucceed();
    expect(await here.as.user(user).delete(`/api/pat/${pat.id}`)).toSucceed();
    expect(await there.as.bearer(pat.value).get("/api/auth/me")).toFail(401, "credentialInvalid");
    expect(await here.as.user(user).delete("/api/auth/sessions", {})).toSucceed();
    expect(await there.as.user(user).get("/api/auth/me")).toFail(401, "signInNeeded");
  });
});
