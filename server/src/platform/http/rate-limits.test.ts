import { beforeAll, describe, expect, test } from "vitest";
import type { Actor, Reply } from "#test/callers/actors.js";
import { FrameControl, frameRoutes } from "#test/server/frame-routes.js";
import { testApp, uniqueName } from "#test/server/harness.js";
import { rateClasses } from "./rate-limit-fields.js";

const settings = { MODSHELF_RATE_LIMITS: "on" };
const routes = frameRoutes(new FrameControl());
const site = await testApp({ routes, settings });
const { as, make, clock } = site;
const behindProxy = await testApp({ routes, settings: { ...settings, MODSHELF_TRUSTED_PROXIES: "loopback" } });
const quota = rateClasses.write.quota;

beforeAll(() => {
  // A quota is refilled continuously; here only when the test moves the clock.
  clock.freeze();
  behindProxy.clock.freeze();
});

const write = (actor: Actor, headers: Record<string, string> = {}) => actor.post("/frame/echo/x", {}, { headers });
const remaining = (reply: Reply) => Number(/;r=(\d+)/.exec(reply.headers.get("ratelimit") ?? "")?.[1]);

async function useUp(actor: Actor, headers: Record<string, string> = {}): Promise<void> {
  for (let left = quota; left > 0; left -= 20)
    await Promise.all(Array.from({ length: 20 }, () => write(actor, headers)));
}

describe("a quota", () => {
  test("is reported with every answer and refusal, with class, limit, rest and time", async () => {
    clock.advance(60_000);
    const first = await write(as.anyone);
    expect(first.headers.get("ratelimit-policy")).toBe('"write";q=60;w=60');
    expect(first.headers.get("ratelimit")).toBe('"write";r=59;t=1');
    expect(remaining(await as.anyone.post("/frame/mixed", {}))).toBe(58);
    expect(remaining(await as.anyone.post("/frame/echo/x", { text: 5 }))).toBe(57);
    expect((await as.anyone.get("/frame/text")).headers.get("ratelimit")).toContain('"read";r=599');
    expect((await as.anyone.get("/frame/nothing")).headers.get("ratelimit")).toBeNull();
  });

  test("that is used up gives a 429 that says when to retry, and a retry then succeeds", async () => {
    clock.advance(60_000);
    await useUp(as.anyone);
    const refused = await write(as.anyone);
    expect(refused).toFail(429, "rateLimited");
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(refused.headers.get("ratelimit")).toBe('"write";r=0;t=1');
    expect(refused.body.message).toBe("Too many requests. Try again in 1 s.");
    // To load the address of a form again would not send the form.
    const page = await write(as.anyone, { accept: "text/html" });
    expect(page.status).toBe(429);
    expect(page.text).toContain("Try again in 1 second.");
    expect(page.text).not.toContain(">Try again<");
    // Reads still work.
    expect(await as.anyone.get("/frame/text")).toSucceed();
    clock.advance(1000);
    expect(await write(as.anyone)).toSucceed();
    expect(await write(as.anyone)).toFail(429);
  });

  test("is never exceeded by a burst", async () => {
    clock.advance(60_000);
    const replies = await Promise.all(Array.from({ length: 150 }, () => write(as.anyone)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(quota);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(150 - quota);
  });

  test("is counted per account, separate from the address", async () => {
    clock.advance(60_000);
    const [user, other] = [await make.user(), await make.user()];
    await useUp(as.anyone);
    expect(remaining(await write(as.user(user)))).toBe(59);
    await useUp(as.user(user));
    expect(await write(as.user(user))).toFail(429);
    expect(await write(as.user(other))).toSucceed();
  });

  test("is shared by all credentials of an account, and one token can use three quarters", async () => {
    clock.advance(60_000);
    const user = await make.user();
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => as.token(user, { scopes: ["user_write"] })));
    const told = await write(first!);
    expect(told.headers.get("ratelimit-policy")).toBe('"write";q=45;w=60');
    expect(told.headers.get("ratelimit")).toBe('"write";r=44;t=2');
    await useUp(first!);
    const refused = await write(first!);
    expect(refused).toFail(429);
    expect(refused.headers.get("ratelimit")).toBe(`"write";r=0;t=${refused.headers.get("retry-after")}`);
    // Refused requests of the token cost the account nothing.
    expect(remaining(await write(as.user(user)))).toBe(14);
    const rest = await Promise.all(Array.from({ length: 40 }, (_, at) => write(at % 2 ? second! : third!)));
    expect(rest.filter(({ status }) => status === 200)).toHaveLength(14);
    const all = await write(second!);
    expect(all).toFail(429);
    expect(all.headers.get("ratelimit-policy")).toBe('"write";q=60;w=60');
    expect(await write(as.user(user))).toFail(429);
    clock.advance(1000);
    expect(await write(second!)).toSucceed();
  });

  test("is taken from the address for wrong tokens and refused origins", async () => {
    clock.advance(60_000);
    expect(remaining(await write(as.bearer("nonsense")))).toBe(59);
    expect(remaining(await write(as.anyone, { origin: "https://evil.example" }))).toBe(58);
    await useUp(as.anyone);
    expect(await write(as.bearer("nonsense"))).toFail(429);
  });

  test("does not exist if the operator has switched it off", async () => {
    const free = await testApp({ routes });
    const replies = await Promise.all(Array.from({ length: 100 }, () => write(free.as.anyone)));
    expect(replies.every(({ status }) => status === 200)).toBe(true);
    expect(replies[0]?.headers.get("ratelimit")).toBeNull();
    await free.stop();
  });
});

describe("the address", () => {
  const spoofed = (at: number) => ({
    "x-forwarded-for": `203.0.113.${at}`,
    "x-real-ip": `203.0.113.${at}`,
    "cf-connecting-ip": `203.0.113.${at}`,
    forwarded: `for=203.0.113.${at}`,
    "x-client-ip": `203.0.113.${at}`,
  });

  test("is the connection's: headers do not change it", async () => {
    clock.advance(60_000);
    for (let at = 0; at < quota; at++) await write(as.anyone, spoofed(at));
    expect(await write(as.anyone, spoofed(200))).toFail(429);
  });

  test("is the last one that a trusted proxy adds; earlier entries do not change it", async () => {
    behindProxy.clock.advance(60_000);
    const { anyone } = behindProxy.as;
    const from = (...hops: string[]) => ({ "x-forwarded-for": hops.join(", ") });
    expect(remaining(await write(anyone, from("192.0.2.1")))).toBe(59);
    expect(remaining(await write(anyone, from("192.0.2.2")))).toBe(59);
    expect(remaining(await write(anyone, from("198.51.100.7", "192.0.2.1")))).toBe(58);
    expect(remaining(await write(anyone, from("192.0.2.9", "192.0.2.1", "127.0.0.1")))).toBe(57);
    expect(remaining(await write(anyone, { ...from("192.0.2.1"), "x-real-ip": "192.0.2.77" }))).toBe(56);
    await useUp(anyone, from("192.0.2.1"));
    expect(await write(anyone, from("192.0.2.1"))).toFail(429);
    expect(await write(anyone, from("192.0.2.2"))).toSucceed();
  });

  test("counts as its /64 for IPv6", async () => {
    behindProxy.clock.advance(60_000);
    const from = (address: string) => write(behindProxy.as.anyone, { "x-forwarded-for": address });
    expect(remaining(await from("2001:db8:1:2::1"))).toBe(59);
    expect(remaining(await from("2001:db8:1:2:ffff:ffff:ffff:ffff"))).toBe(58);
    expect(remaining(await from("2001:0DB8:1:2:abcd::"))).toBe(57);
    expect(remaining(await from("2001:db8:1:3::1"))).toBe(59);
    expect(remaining(await from("::ffff:192.0.2.50"))).toBe(59);
    expect(remaining(await from("192.0.2.50"))).toBe(58);
  });
});

describe("a quota that protects passwords", () => {
  const { signIn, accountFailure } = rateClasses;

  test("is in the database: a second server, or the same one after a restart, continues it", async () => {
    clock.advance(3_600_000);
    const account = uniqueName();
    const { limiter } = site.resources;
    for (let used = 0; used < accountFailure.quota; used++)
      expect((await limiter.take("accountFailure", account)).allowed).toBe(true);
    const second = await testApp({ sharedWith: site, settings });
    expect(await second.resources.limiter.take("accountFailure", account)).toMatchObject({
      allowed: false,
      remaining: 0,
    });
    expect((await second.resources.limiter.take("accountFailure", uniqueName())).allowed).toBe(true);
    clock.advance(3_600_000);
    expect((await second.resources.limiter.take("accountFailure", account)).allowed).toBe(true);
    await second.stop();
  });

  test("is never exceeded, not even by a burst on two servers", async () => {
    const second = await testApp({ sharedWith: site, settings });
    const address = uniqueName();
    const limiters = [site.resources.limiter, second.resources.limiter];
    const results = await Promise.all(Array.from({ length: 60 }, (_, at) => limiters[at % 2]!.take("signIn", address)));
    expect(results.filter(({ allowed }) => allowed)).toHaveLength(signIn.quota);
    await second.stop();
  });

  test("gives back exactly the refunded units while others take", async () => {
    const second = await testApp({ sharedWith: site, settings });
    const account = uniqueName();
    const limiters = [site.resources.limiter, second.resources.limiter];
    const take = (at: number) => limiters[at % 2]!.take("accountFailure", account);
    for (let at = 0; at < 4; at++) await take(at);
    // 1 is left; three are refunded while one is taken: 3 are left in any order.
    await Promise.all(
      [0, 1, 2, 3].map((at) => (at < 3 ? limiters[at % 2]!.refund("accountFailure", account) : take(at))),
    );
    const results = [];
    for (let at = 0; at < 10; at++) results.push((await take(at)).allowed);
    expect(results.filter(Boolean)).toHaveLength(3);
    await limiters[0]!.refund("accountFailure", uniqueName());
    await second.stop();
  });

  test("counts sign-ins by address even for signed-in users, and failures by account from everywhere", async () => {
    behindProxy.clock.advance(3_600_000);
    const user = await behindProxy.make.user({ password: "correct horse battery" });
    const guess = (actor: Actor, address: string, password: string) =>
      actor.post(
        "/api/auth/signin/credential",
        { email: user.email, password },
        { headers: { "x-forwarded-for": address } },
      );
    // The routes of the test server replace the real ones: this one server has both.
    const full = await testApp({
      settings: { ...settings, MODSHELF_TRUSTED_PROXIES: "loopback" },
      sharedWith: behindProxy,
    });
    const signedIn = full.as.user(user);
    const first = await guess(signedIn, "192.0.2.1", "wrong password");
    expect(first).toFail(401, "signInFailed");
    expect(first.headers.get("ratelimit")).toContain('"signIn";r=19');
    const anonymous = await guess(full.as.anyone, "192.0.2.1", "correct horse battery");
    expect(anonymous).toSucceed();
    expect(anonymous.headers.get("ratelimit")).toContain('"signIn";r=18');
    for (let at = 1; at < accountFailure.quota; at++)
      expect(await guess(full.as.anyone, `198.51.100.${at}`, "wrong password")).toFail(401);
    const refused = await guess(full.as.anyone, "198.51.100.200", "correct horse battery");
    expect(refused).toFail(429, "rateLimited");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(300);
    // The owner's session is not affected by what others do.
    expect(await full.as.user(user).get("/api/auth/me")).toSucceed();
    await full.stop();
  });
});
