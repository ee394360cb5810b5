// Making an account: one screen, or a provider.
import Type from "typebox";
import { write } from "../../../changes/write.js";
import { open } from "../../../http/access.js";
import type { Route } from "../../../http/endpoint.js";
import { parse } from "../../../http/validation.js";
import { listConfigured } from "../../../providers/known-providers.js";
import { signUp as contract } from "../../../sessions/contract.js";
import { type NewMember, signUp } from "../../../sessions/entering.js";
import { giveCookie, originOf } from "../../../sessions/routes.js";
import { setLocale } from "../../../users/write.js";
import { attempt, formFields } from "../../form.js";
import { formRoute, pageRoute } from "../../page.js";
import { movedTo, safeNext, seeOther } from "../../paths.js";
import { localeOf } from "../../preferences.js";
import { textsIn } from "../../texts.js";
import { signInTexts } from "./sign-in-texts.js";
import { RegistrationClosed, SignUpForm } from "./sign-in-view.js";

const path = "/auth/sign-up";
const shared = { path, access: open, cacheControl: "no-store" } as const;
const next = Type.Optional(Type.String());
/** New members find there what they could do next. */
const firstPage = "/dashboard";

export const signUpRoutes: Route[] = [
  pageRoute(
    { ...shared, id: "getSignUpPage", summary: "The form to make an account with", query: Type.Object({ next }) },
    async ({ request, reply, viewer, query }, { config }) => {
      const to = safeNext(query.next);
      if (viewer.kind === "session") return seeOther(reply, to);
      const t = textsIn(signInTexts, localeOf(request));
      if (config.registration === "closed") return { title: t.closed, content: <RegistrationClosed next={to} /> };
      return { title: t.signUp, content: <SignUpForm next={to} providers={listConfigured(config.oauth)} /> };
    },
  ),

  formRoute(
    {
      ...shared,
      id: "submitSignUp",
      once: true,
      rate: "signIn",
      summary: "Make an account and sign in",
      body: formFields("userName", "email", "password", "next"),
    },
    async (call, resources) => {
      const { userName, email } = call.body;
      const to = safeNext(call.body.next);
      const t = textsIn(signInTexts, localeOf(call.request));
      if (resources.config.registration === "closed")
        return { title: t.closed, status: 403, content: <RegistrationClosed next={to} /> };
      const problems = await attempt(
        async () => {
          const given = { ...call.body, userName: userName?.trim(), email: email?.trim() };
          const input = parse<NewMember>("body", contract.body, given, "body");
          const { id, token } = await signUp(resources, call.actor, originOf(call, "credential"), input);
          // So that mails speak it too.
          await write(resources, call.actor, (tx) => setLocale(tx, id, localeOf(call.request)));
          giveCookie(call, resources, token);
        },
        { userNameTaken: "userName", nameReserved: "userName", emailTaken: "email" },
      );
      if (!problems) return seeOther(call.reply, to === "/" ? firstPage : to);
      const providers = listConfigured(resources.config.oauth);
      return {
        title: t.signUp,
        status: problems.status,
        content: <SignUpForm next={to} providers={providers} typed={{ userName, email }} problems={problems} />,
      };
    },
  ),

  pageRoute(
    { id: "getOldSignUpPage", path: "/signup", access: open, summary: "Where the sign-up was before" },
    async ({ reply }) => movedTo(reply, path),
  ),
];
