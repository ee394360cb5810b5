// Confirming a new e-mail address: the mailed link shows a button, because mail scanners open links too.
import Type from "typebox";
import { write } from "../../changes/write.js";
import { Failure, fail } from "../../errors.js";
import { open } from "../../http/access.js";
import { endpoint, type Route } from "../../http/endpoint.js";
import { isCodeGood } from "../../users/codes.js";
import { confirmEmailWithCode } from "../../users/write.js";
import { formFields } from "../form.js";
import type { Page } from "../layout.js";
import { aPage, formRoute, pageRoute } from "../page.js";
import { narrowPage } from "../parts/narrow-page.js";
import { PostForm } from "../parts/post-form.js";
import { seeOther } from "../paths.js";

const path = "/auth/verify";
const shared = { path, access: open, tag: "Website", answer: aPage, cacheControl: "no-store", internal: true } as const;

const getVerifyPage = endpoint({
  ...shared,
  id: "getVerifyPage",
  method: "GET",
  rate: "read",
  summary: "The button that confirms a new e-mail address",
  query: Type.Object({
    code: Type.Optional(Type.String({ maxLength: 512 })),
    done: Type.Optional(Type.String()),
  }),
});

const submitVerify = endpoint({
  ...shared,
  id: "submitVerify",
  method: "POST",
  rate: "signIn",
  summary: "Confirm a new e-mail address",
  body: formFields("code"),
  htmlForm: true,
});

export const verifyRoutes: Route[] = [
  pageRoute(getVerifyPage, async (call, { db, clock }) => {
    const { code = "", done } = call.query;
    if (done !== undefined) return confirmed();
    const isGood = await isCodeGood(db, "email_change", code, clock.now());
    return isGood ? confirmForm(code) : linkDead(fail.codeInvalid());
  }),

  formRoute(submitVerify, async (call, resources) => {
    try {
      await write(resources, call.actor, (tx) => confirmEmailWithCode(tx, call.body.code ?? ""));
    } catch (error) {
      if (error instanceof Failure && error.code === "codeInvalid") return linkDead(error);
      throw error;
    }
    return seeOther(call.reply, `${path}?done`);
  }),
];

const confirmForm = (code: string): Page =>
  narrowPage(
    { title: "Confirm your e-mail address", lead: "From then on your account uses the address this link was sent to." },
    <PostForm action={path} button="Confirm the address" code={code} />,
  );

const confirmed = (): Page =>
  narrowPage({ title: "Your e-mail address is confirmed", lead: "Your account uses it from now on." });

const linkDead = ({ status }: Failure): Page =>
  narrowPage({
    title: "This link does not work",
    lead: "It is mistyped, was used already, or is older than a day. Change your address once more to get a new one.",
    status,
  });
