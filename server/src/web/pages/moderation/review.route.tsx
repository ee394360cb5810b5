// Reviewing a project: reading it, claiming it, deciding, skipping, and sending messages.
import Type from "typebox";
import { projectRef } from "#content/projects/contract.js";
import { getVisibleProject } from "#content/projects/read.js";
import { createThreadMessage } from "#content/threads/contract.js";
import { postMessage } from "#content/threads/write.js";
import { dropClaim, releaseClaim } from "#moderation/desk/claims.js";
import { holdDecision, undoDecision } from "#moderation/desk/held.js";
import { claimProject, decideStatus, lockVisibleProject } from "#moderation/desk/write.js";
import { write } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import type { Route } from "#platform/http/endpoint.js";
import { parse } from "#platform/http/validation.js";
import { attempt, formFields, formLists } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { forModerators } from "#web/shared/staff-access.js";
import { type DecisionFields, toDecision, toTyped } from "./decision-input.js";
import { findLast } from "./last-decision.js";
import { takeNext } from "./next-review.js";
import { reviewPage } from "./review.js";
import { loadReview } from "./review-load.js";

const queuePath = "/moderation/queue";
const form = {
  access: forModerators,
  params: projectRef,
  errors: ["projectNotFound", "claimed", "wrongState"],
} as const;

export const reviewRoutes: Route[] = [
  pageRoute(
    {
      id: "getReviewPage",
      path: "/moderation/queue/:ref",
      access: forModerators,
      summary: "Review a project",
      params: projectRef,
      query: Type.Object({
        last: Type.Optional(Type.String({ maxLength: 64 })),
        did: Type.Optional(Type.String({ maxLength: 16 })),
      }),
      errors: ["projectNotFound"],
    },
    async ({ viewer, params, query }, resources) => {
      const view = await loadReview(resources, viewer, params.ref);
      const last = query.last ?? (view.isDecided ? view.project.id : "");
      return reviewPage({ view, last: await findLast(resources, viewer, last, query.did) });
    },
  ),

  memberFormRoute(
    {
      id: "submitNextReview",
      path: "/moderation/queue/next",
      access: forModerators,
      summary: "Claim the next project of the queue",
    },
    async ({ viewer, actor, reply }, resources) => {
      const next = await takeNext(resources, viewer, actor);
      return seeOther(reply, next === undefined ? queuePath : `${queuePath}/${next}`);
    },
  ),

  memberFormRoute(
    { ...form, id: "submitReviewClaim", path: "/moderation/queue/:ref/claim", summary: "Claim a project" },
    async ({ viewer, actor, params, reply }, resources) => {
      const project = await write(resources, actor, async (tx) => {
        const held = await lockVisibleProject(tx, viewer, params.ref);
        await claimProject(tx, held, viewer.user.id);
        return held;
      });
      return seeOther(reply, `${queuePath}/${project.id}`);
    },
  ),

  memberFormRoute(
    {
      ...form,
      id: "submitReviewRelease",
      path: "/moderation/queue/:ref/release",
      summary: "Drop the claim on a project",
    },
    async ({ viewer, actor, params, reply }, resources) => {
      await write(resources, actor, async (tx) => {
        const { id } = await lockVisibleProject(tx, viewer, params.ref);
        await releaseClaim(tx, "project", id, viewer.user);
      });
      return seeOther(reply, queuePath);
    },
  ),

  memberFormRoute(
    {
      ...form,
      id: "submitReviewSkip",
      path: "/moderation/queue/:ref/skip",
      summary: "Drop the claim on a project and claim the next one",
    },
    async ({ viewer, actor, params, reply }, resources) => {
      const { project, review } = await loadReview(resources, viewer, params.ref);
      await write(resources, actor, async (tx) => {
        const { id } = await lockVisibleProject(tx, viewer, project.id);
        await releaseClaim(tx, "project", id, viewer.user);
      });
      const next = await takeNext(resources, viewer, actor, review.position ?? 0);
      return seeOther(reply, next === undefined ? queuePath : `${queuePath}/${next}`);
    },
  ),

  memberFormRoute(
    {
      ...form,
      id: "submitReviewDecision",
      once: true,
      path: "/moderation/queue/:ref/decide",
      summary: "Decide about a project, and open the next one; it can be undone for some seconds",
      body: Type.Object({
        ...formFields("reason", "message", "decision", "composed").properties,
        ...formLists("problem").properties,
      }),
    },
    async ({ viewer, actor, params, body, request, reply }, resources) => {
      const fields = body as DecisionFields;
      const view = await loadReview(resources, viewer, params.ref);
      const { id, status } = view.project;
      const wrong = await attempt(async () => {
        const decision = toDecision(fields, localeOf(request));
        await write(resources, actor, async (tx) => {
          const project = await lockVisibleProject(tx, viewer, id);
          await holdDecision(tx, project, { ...actor, userId: viewer.user.id }, decision);
        });
      });
      if (wrong) return reviewPage({ view, typed: { ...toTyped(fields), wrong } });
      // A project that was not in the queue: the moderator returns to its page.
      if (status !== "processing") return seeOther(reply, `${queuePath}/${id}?last=${id}`);
      const next = await takeNext(resources, viewer, actor, (view.review.position ?? 1) - 1);
      return seeOther(reply, `${queuePath}${next === undefined ? "" : `/${next}`}?last=${id}`);
    },
  ),

  memberFormRoute(
    {
      ...form,
      id: "submitReviewUndo",
      path: "/moderation/queue/:ref/undo",
      summary: "Undo a decision before it takes effect",
    },
    async ({ viewer, actor, params, reply }, resources) => {
      const { id } = await getVisibleProject(resources, viewer, params.ref);
      const late = await attempt(
        () =>
          write(resources, actor, async (tx) => {
            const project = await lockVisibleProject(tx, viewer, id);
            await undoDecision(tx, id, viewer.user.id);
            // Only projects in the queue are claimed.
            if (project.status !== "processing") await dropClaim(tx, "project", id);
          }),
        { wrongState: "undo" },
      );
      return seeOther(reply, `${queuePath}/${id}?last=${id}&did=${late ? "late" : "undone"}`);
    },
  ),

  memberFormRoute(
    {
      ...form,
      id: "submitReviewRequeue",
      path: "/moderation/queue/:ref/requeue",
      summary: "Put a project back into the queue and claim it, to decide again",
    },
    async ({ viewer, actor, params, reply }, resources) => {
      const id = await write(resources, actor, async (tx) => {
        const project = await lockVisibleProject(tx, viewer, params.ref);
        await decideStatus(tx, project, viewer.user.id, { status: "processing", reason: "second_look", message: "" });
        await claimProject(tx, await lockVisibleProject(tx, viewer, project.id), viewer.user.id);
        return project.id;
      });
      return seeOther(reply, `${queuePath}/${id}`);
    },
  ),

  memberFormRoute(
    {
      ...form,
      id: "submitReviewMessage",
      once: true,
      path: "/moderation/queue/:ref/message",
      summary: "Write in the thread of a project",
      body: formFields("say", "private"),
    },
    async ({ viewer, actor, params, body, reply }, resources) => {
      const view = await loadReview(resources, viewer, params.ref);
      const { thread, project } = view;
      if (!thread) throw fail.threadNotFound();
      const typed = { text: body.say ?? "", isPrivate: body.private !== undefined };
      const problems = await attempt(async () => {
        parse("body", createThreadMessage.body, { message: typed.text }, "body");
        await write(resources, actor, (tx) => postMessage(tx, viewer, thread.id, { ...typed, replyingTo: null }));
      });
      if (problems)
        return reviewPage({
          view,
          message: {
            ...typed,
            problems: { ...problems, fields: { say: problems.fields.message ?? problems.message } },
          },
        });
      return seeOther(reply, `${queuePath}/${project.id}#thread`);
    },
  ),
];
