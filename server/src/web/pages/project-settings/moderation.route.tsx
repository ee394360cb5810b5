// A project's review for its team: status, expected time, requested changes, and the conversation.

import Type from "typebox";
import { needConfirmedAddress } from "#accounts/users/policy.js";
import { changeProject } from "#content/projects/change.js";
import type { Answer } from "#content/submissions/submissions.js";
import { submitProject, withdrawProject } from "#content/submissions/submit.js";
import { createThreadMessage } from "#content/threads/contract.js";
import { getProjectThreadId } from "#content/threads/messages.js";
import { findThread, readThread } from "#content/threads/read.js";
import { postMessage } from "#content/threads/write.js";
import type { Children } from "#lib/jsx-runtime.js";
import { getReview } from "#moderation/desk/read.js";
import { write } from "#platform/changes/write.js";
import { invalid } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import { parse } from "#platform/http/validation.js";
import { attempt, type FormProblems, formFields, formLists, renamed } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { projectPath } from "#web/context/project-path.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { say } from "#words/said.js";
import { texts, textsIn } from "#words/texts.js";
import { ModerationView, type ReviewFacts } from "./moderation.js";
import { type ChangeAnswer, noteField, noteFields, type Typed, toAnswers } from "./requested-changes.js";
import { type SettingsCall, settingsFormRoute, settingsPageRoute } from "./settings-page.js";

const pathOf = ({ project }: SettingsView): string => `${projectPath(project.slug)}/moderation`;

const submitBody = Type.Object({
  ...formFields("note").properties,
  ...formFields(...noteFields).properties,
  ...formLists("fixed").properties,
});

export const moderationRoutes = [
  settingsPageRoute(
    {
      id: "getProjectModerationPage",
      below: "/moderation",
      summary: "The state of a project's review",
      query: Type.Object({ did: Type.Optional(Type.String({ maxLength: 16 })) }),
    },
    async (view, call, resources) => shown(view, call, resources, { did: call.query.did }),
  ),

  settingsFormRoute(
    {
      id: "submitForReview",
      once: true,
      below: "/submit",
      summary: "Submit a project for review",
      body: submitBody,
    },
    async (view, call, resources) => {
      const { review } = resources.config;
      const typed: Typed = call.body;
      const answers = toAnswers(view.asked, typed);
      const note = messageOf(answers, typed.note ?? "", call.locale);
      const problems = await attempt(
        async () => {
          checkAnswers(answers);
          if (note !== "") checkMessage(note, "note");
          await changeProject(resources, call, "owner", async (tx, project) => {
            needConfirmedAddress(call.viewer);
            await submitProject(tx, project, call.viewer.user.id, { review, answers });
            if (note === "") return;
            const said = { text: note, replyingTo: null, isPrivate: false };
            await postMessage(tx, call.viewer, await getProjectThreadId(tx, project.id), said);
          });
        },
        { wrongState: "note", addressUnconfirmed: "note" },
      );
      if (problems) return shown(view, call, resources, { problems, typed });
      return seeOther(call.reply, `${pathOf(view)}?did=submitted`);
    },
  ),

  settingsFormRoute(
    { id: "submitWithdrawal", below: "/withdraw", summary: "Withdraw a project from review", body: Type.Object({}) },
    async (view, call, resources) => {
      await changeProject(resources, call, "owner", (tx, project) => withdrawProject(tx, project, call.viewer.user.id));
      return seeOther(call.reply, `${pathOf(view)}?did=withdrawn`);
    },
  ),

  settingsFormRoute(
    {
      id: "submitThreadReply",
      once: true,
      below: "/moderation",
      summary: "Write to the moderators",
      body: formFields("say"),
    },
    async (view, call, resources) => {
      const text = call.body.say?.replaceAll("\r\n", "\n").trim() ?? "";
      const problems = await attempt(
        async () => {
          checkMessage(text, "say");
          await write(resources, call.actor, async (tx) => {
            const threadId = await getProjectThreadId(tx, view.project.id);
            await postMessage(tx, call.viewer, threadId, { text, replyingTo: null, isPrivate: false });
          });
        },
        { wrongState: "say" },
      );
      if (problems) return shown(view, call, resources, { problems, say: text });
      return seeOther(call.reply, `${pathOf(view)}?did=sent#thread`);
    },
  ),
];

/** The same rules as in the API, with the problem shown beside the field. */
function checkMessage(message: string, field: string): void {
  try {
    parse("body", createThreadMessage.body, { message }, "body");
  } catch (error) {
    throw renamed(error, field);
  }
}

const longestAnswer = 512;

function checkAnswers(answers: readonly Answer[]): void {
  const long = answers.find(({ note }) => note.length > longestAnswer);
  if (long) throw invalid({ path: noteField(long.problem), message: say.problems.charactersLong(longestAnswer) });
}

/** The ticked points come first, in words. */
function messageOf(answers: readonly ChangeAnswer[], note: string, locale: SettingsCall["locale"]): string {
  const t = textsIn(texts.projectSettings.moderation, locale);
  const done = answers.filter(({ isDone }) => isDone).map(({ problem }) => t.reasons[problem]);
  const notes = answers
    .filter((answer) => answer.note !== "")
    .map((answer) => `${t.reasons[answer.problem]}: ${answer.note}`);
  const text = note.replaceAll("\r\n", "\n").trim();
  return [...(done.length > 0 ? [t.doneNote(done.join(", "))] : []), ...notes, text].filter(Boolean).join("\n\n");
}

interface More {
  did?: string | undefined;
  problems?: FormProblems;
  typed?: Typed;
  say?: string;
}

async function shown(view: SettingsView, call: SettingsCall, resources: Resources, more: More) {
  const title = textsIn(texts.projectSettings.frame, call.locale).moderation;
  const facts = await loadFacts(view, call, resources);
  const content: Children = <ModerationView view={view} facts={facts} {...more} />;
  return { title, status: more.problems?.status, content, isAboutChanges: true };
}

async function loadFacts(
  { project }: SettingsView,
  { viewer }: SettingsCall,
  resources: Resources,
): Promise<ReviewFacts> {
  const { db, config } = resources;
  const review = await getReview(resources, viewer, project.id);
  const thread = review.threadId === null ? undefined : await findThread(db, viewer, review.threadId);
  return {
    review,
    thread: thread && (await readThread(db, viewer, thread, config.http.cdnUrl, { limit: lengthOfThread })),
  };
}

const lengthOfThread = 100;
