import { describe, expect, test } from "vitest";
import { type RateClass, rateClasses, rateLimitFields } from "./rate-limit-fields.js";
import { TokenBuckets } from "./token-bucket.js";

const now = Date.UTC(2027, 0, 1);

describe("the rate limit fields", () => {
  test("name the class, its quota and window, the rest and the time until it is full", () => {
    const result = { allowed: true, remaining: 180, resetSeconds: 24, retryAfterSeconds: 0 };
    expect(rateLimitFields("read", { quota: 300, windowSeconds: 60 }, result)).toEqual({
      "RateLimit-Policy": '"read";q=300;w=60',
      RateLimit: '"read";r=180;t=24',
    });
  });

  test("in a refusal say when to retry, in agreement with the effective window", () => {
    const result = { allowed: false, remaining: 0, resetSeconds: 600, retryAfterSeconds: 30 };
    expect(rateLimitFields("signIn", rateClasses.signIn, result)).toEqual({
      "RateLimit-Policy": '"signIn";q=20;w=600',
      RateLimit: '"signIn";r=0;t=30',
      "Retry-After": "30",
    });
  });

  test("for a refused call that needs several units agree with Retry-After", () => {
    const result = { allowed: false, remaining: 3, resetSeconds: 510, retryAfterSeconds: 60 };
    const fields = rateLimitFields("upload", rateClasses.upload, result);
    expect(fields).toMatchObject({ RateLimit: '"upload";r=3;t=60', "Retry-After": "60" });
  });

  test("for the last allowed call say when the next one may follow", () => {
    const result = { allowed: true, remaining: 0, resetSeconds: 3600, retryAfterSeconds: 0 };
    expect(rateLimitFields("mail", rateClasses.mail, result).RateLimit).toBe('"mail";r=0;t=720');
  });
});

describe.each(Object.keys(rateClasses) as RateClass[])("the class %s", (name) => {
  const policy = rateClasses[name];

  test("is valid in a structured field and gives a reason", () => {
    expect(name).toMatch(/^[A-Za-z]+$/);
    expect(policy.why.length).toBeGreaterThan(40);
  });

  test("gives a client only well-formed fields until the quota is used up", () => {
    const buckets = new TokenBuckets();
    for (let left = policy.quota - 1; left >= 0; left--) {
      const fields = rateLimitFields(name, policy, buckets.take(name, policy, 1, now));
      expect(fields.RateLimit).toMatch(new RegExp(`^"${name}";r=${left};t=[1-9]\\d*$`));
      expect(fields).not.toHaveProperty("Retry-After");
    }
    const refused = rateLimitFields(name, policy, buckets.take(name, policy, 1, now));
    const seconds = Number(refused["Retry-After"]);
    expect(refused.RateLimit).toBe(`"${name}";r=0;t=${seconds}`);
    expect(buckets.take(name, policy, 1, now + seconds * 1000).allowed).toBe(true);
  });
});
