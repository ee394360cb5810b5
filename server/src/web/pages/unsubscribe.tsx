// Ending the mails that tell of notifications: the mailed link shows a button, because mail scanners open links too. Mail
// programs that know how press it for the reader (RFC 8058): they post to the same address and follow no redirect.
import Type from "typebox";
import { write } from "../../changes/write.js";
import { open } from "../../http/access.js";
import { endpoint, type Route } from "../../http/endpoint.js";
import { endDigests } from "../../notifications/write.js";
import type { Page } from "../layout.js";
import { aPage, formRoute, pageRoute } from "../page.js";
import { narrowPage } from "../parts/narrow-page.js";
import { PostForm } from "../parts/post-form.js";

const path = "/unsubscribe";
const shared = {
  path,
  access: open,
  tag: "Website",
  answer: aPage,
  cacheControl: "no-store",
  internal: true,
  query: Type.Object({ token: Type.Optional(Type.String({ maxLength: 512 })) }),
} as const;

const getUnsubscribePage = endpoint({
  ...shared,
  id: "getUnsubscribePage",
  method: "GET",
  rate: "read",
  summary: "The button that ends mails about notifications",
});

const submitUnsubscribe = endpoint({
  ...shared,
  id: "submitUnsubscribe",
  method: "POST",
  rate: "write",
  summary: "End mails about notifications",
  htmlForm: true,
});

export const unsubscribeRoutes: Route[] = [
  pageRoute(getUnsubscribePage, async (call) => confirmForm(call.query.token ?? "")),

  formRoute(submitUnsubscribe, async (call, resources) => {
    const isGood = await write(resources, call.actor, (tx) => endDigests(tx, call.query.token ?? ""));
    return isGood ? ended() : linkDead();
  }),
];

const confirmForm = (token: string): Page =>
  narrowPage(
    { title: "End these mails", lead: "You will still find your notifications on this site." },
    <PostForm action={`${path}?token=${encodeURIComponent(token)}`} button="Send me no more of them" />,
  );

const ended = (): Page =>
  narrowPage({
    title: "No more of these mails",
    lead: "You will get no mails about notifications. Your settings let you ask for them again.",
  });

const linkDead = (): Page =>
  narrowPage({
    title: "This link does not work",
    lead: "It is mistyped or very old. Sign in and change your notification settings instead.",
    status: 400,
  });
