import { expect, test } from "vitest";
import { testApp } from "../../../test/harness.js";

const { as, make } = await testApp();

test("createToken answers the token once, listTokens never", async () => {
  const user = await make.user();
  const created = await as
    .user(user)
    .post("/api/pat", { name: "ci", dateExpires: "2099-01-31", authScopes: ["user_read"] });
  expect(created).toSucceed();
  expect(created.body.token).toMatch(/^msp_[0-9A-Za-z]{49}$/);
  const listed = await as.user(user).get("/api/pat");
  expect(listed.body).toEqual([{ ...created.body, token: undefined }]);
  const me = await as.bearer(created.body.token).get("/api/auth/me");
  expect(me).toSucceed();
  expect(me.body.email).toBeUndefined();
});
