// The routes of the page in device.tsx.
import type { FastifyRequest } from "fastify";
import { readUserCode, showUserCode } from "#accounts/devices/policy.js";
import { decide, getWaitingRequest } from "#accounts/devices/write.js";
import { isFresh } from "#accounts/users/policy.js";
import { write } from "#platform/changes/write.js";
import { sessionOnly } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import type { Page } from "#web/frame/layout.js";
import { narrowPage } from "#web/frame/narrow-page.js";
import { formRoute, pageRoute } from "#web/frame/page.js";
import { texts } from "#words/texts.js";
import { CodeForm, Decision, path, ToTokens } from "./device.js";
import { signInAgainPath, wordsFor } from "./settings-frame.js";

// The program gets a token, so the rules are those for a token that the user creates.
const access = sessionOnly("pat_create");

export const deviceRoutes: Route[] = [
  pageRoute(
    {
      id: "getDevicePage",
      path,
      access,
      // By address, so that many accounts do not give one person many guesses.
      rate: "signIn",
      summary: "Ask whether a program may be signed in",
      query: formFields("code"),
      cacheControl: "no-store",
    },
    async ({ request, reply, viewer, actor, query: { code = "" } }, resources) => {
      if (code.trim() === "") return codePage(request, "", false);
      const read = readUserCode(code);
      if (read && !isFresh(viewer, resources.clock.now()))
        return seeOther(reply, signInAgainPath(`${path}?code=${showUserCode(read)}`));
      const waiting = read && (await getWaitingRequest(resources, actor, viewer.user.id, read));
      if (!waiting) return codePage(request, code, true);
      return {
        title: wordsFor(request, texts.applications.device).askTitle(waiting.program),
        content: <Decision request={waiting} userName={viewer.user.userName} />,
      };
    },
  ),

  formRoute(
    {
      id: "submitDevice",
      path,
      access,
      rate: "signIn",
      summary: "Approve or deny the sign-in of a program",
      body: formFields("code", "decision"),
    },
    async ({ request, reply, viewer, actor, body: { code = "", decision } }, resources) => {
      const t = wordsFor(request, texts.applications.device);
      const read = readUserCode(code);
      const isApproved = decision === "approve";
      if (read && isApproved && !isFresh(viewer, resources.clock.now()))
        return seeOther(reply, signInAgainPath(`${path}?code=${showUserCode(read)}`));
      const waiting = read && (await getWaitingRequest(resources, actor, viewer.user.id, read));
      const isDecided =
        waiting && (await write(resources, actor, (tx) => decide(tx, viewer.user.id, waiting, isApproved)));
      if (!waiting || !isDecided) return codePage(request, code, true);
      return isApproved
        ? narrowPage({ title: t.approved(waiting.program), lead: t.approvedLead }, <ToTokens />)
        : narrowPage({ title: t.denied, lead: t.deniedLead });
    },
  ),
];

function codePage(request: FastifyRequest, typed: string, isWrong: boolean): Page {
  const { title, lead } = wordsFor(request, texts.applications.device);
  return narrowPage(
    { title, lead, ...(isWrong && { status: 404 }) },
    <CodeForm typed={typed.slice(0, 20)} isWrong={isWrong} />,
  );
}
