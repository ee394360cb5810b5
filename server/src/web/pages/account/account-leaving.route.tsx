// The routes of the page in account-leaving.tsx.
import Type from "typebox";
import { giveCookie } from "#accounts/sessions/routes.js";
import { listCredentials } from "#accounts/users/credentials.js";
import { deleteOwnAccount, getAccount, removePassword } from "#accounts/users/own-account.js";
import type { RemainingCredentials } from "#accounts/users/password-contract.js";
import { isFresh } from "#accounts/users/policy.js";
import { countOwnedProjects } from "#accounts/users/read.js";
import { collectOwnData } from "#operations/data-export/collect.js";
import { invalid } from "#platform/errors.js";
import { sessionOnly } from "#platform/http/access.js";
import { endpoint, type Route, route } from "#platform/http/endpoint.js";
import { attempt, type FormProblems, formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import type { Page } from "#web/frame/layout.js";
import { formRoute, pageRoute } from "#web/frame/page.js";
import { texts } from "#words/texts.js";
import { accountPath } from "./account.js";
import { DeleteAccount, type DeleteProps, deletePath, RemovePassword, removePath } from "./account-leaving.js";
import { choiceFields, toChoice } from "./credential-choices.js";
import { settingsPage, signInAgainPath, wordsFor } from "./settings-frame.js";

const exportOwnData = endpoint({
  id: "exportOwnData",
  method: "GET",
  path: `${accountPath}/export`,
  access: sessionOnly("user_auth_write"),
  rate: "bulk",
  tag: "Website",
  summary: "All stored data about the user, as a file",
  answer: { raw: "application/json", description: "One JSON document" },
  cacheControl: "no-store",
  internal: true,
});

type Words = ReturnType<typeof wordsFor<(typeof texts.account.account)["en"]>>;

const removePage = (t: Words, credentials: RemainingCredentials, problems?: FormProblems): Page =>
  settingsPage({
    title: t.removePassword,
    lead: t.removePasswordLead,
    status: problems?.status,
    children: <RemovePassword credentials={credentials} problems={problems} />,
  });

const deletePage = (t: Words, props: DeleteProps): Page =>
  settingsPage({
    title: t.deleteTitle,
    lead: t.deleteLead,
    status: props.problems?.status,
    children: <DeleteAccount {...props} />,
  });

export const leavingRoutes: Route[] = [
  pageRoute(
    {
      id: "getRemovePasswordPage",
      path: removePath,
      access: sessionOnly("user_auth_write"),
      summary: "Ask for confirmation before the password is removed",
    },
    async ({ request, viewer }, { db }) =>
      removePage(wordsFor(request, texts.account.account), await listCredentials(db, viewer.user.id)),
  ),

  formRoute(
    {
      id: "submitPasswordRemoval",
      path: removePath,
      access: sessionOnly("user_auth_write"),
      summary: "Remove the user's password",
      body: Type.Object({ ...formFields("password").properties, keepTokens: choiceFields.keepTokens }),
    },
    async ({ request, reply, viewer, actor, body }, resources) => {
      const { keepTokens } = toChoice(body);
      const problems = await attempt(
        async () => {
          await removePassword(resources, actor, viewer, { password: (body.password ?? "").slice(0, 512), keepTokens });
        },
        {
          ...{ passwordWrong: "password", rateLimited: "password" },
          ...{ passwordMissing: "password", lastSignInMethod: "password" },
        },
      );
      if (!problems) return seeOther(reply, `${accountPath}?done=removed`);
      const credentials = await listCredentials(resources.db, viewer.user.id);
      return removePage(wordsFor(request, texts.account.account), credentials, problems);
    },
  ),

  pageRoute(
    {
      id: "getDeleteAccountPage",
      path: deletePath,
      access: sessionOnly("user_delete"),
      summary: "Ask for confirmation before the account is deleted",
    },
    async ({ request, reply, viewer }, resources) => {
      const { db, clock } = resources;
      const { password_hash, user_name } = await getAccount(resources, viewer.user.id);
      const hasPassword = password_hash !== null;
      if (!hasPassword && !isFresh(viewer, clock.now())) return seeOther(reply, signInAgainPath(deletePath));
      const owned = await countOwnedProjects(db, viewer.user.id);
      return deletePage(wordsFor(request, texts.account.account), { userName: user_name, hasPassword, owned });
    },
  ),

  formRoute(
    {
      id: "submitAccountDeletion",
      path: deletePath,
      access: sessionOnly("user_delete"),
      summary: "Delete the user's account",
      body: formFields("confirm", "password"),
      errors: ["lastAdmin"],
    },
    async (call, resources) => {
      const { request, reply, viewer, actor, body } = call;
      const { password_hash, user_name } = await getAccount(resources, viewer.user.id);
      const hasPassword = password_hash !== null;
      if (!hasPassword && !isFresh(viewer, resources.clock.now())) return seeOther(reply, signInAgainPath(deletePath));
      const problems = await attempt(
        async () => {
          if (body.confirm?.trim().toLowerCase() !== user_name.toLowerCase())
            throw invalid({ path: "confirm", message: wordsFor(request, texts.account.account).wrongName });
          await deleteOwnAccount(resources, actor, viewer, body.password?.slice(0, 512));
        },
        { passwordWrong: "password", rateLimited: "password", lastAdmin: "confirm" },
      );
      if (problems) {
        const owned = await countOwnedProjects(resources.db, viewer.user.id);
        return deletePage(wordsFor(request, texts.account.account), {
          userName: user_name,
          hasPassword,
          owned,
          problems,
        });
      }
      giveCookie(call, resources, "", 0);
      return seeOther(reply, "/");
    },
  ),

  route(exportOwnData, async ({ viewer, reply }, resources) => {
    const data = await collectOwnData(resources, viewer.user.id);
    const name = `modshelf-${viewer.user.userName}.json`;
    return reply
      .header("content-disposition", `attachment; filename="${name}"`)
      .type("application/json; charset=utf-8")
      .send(JSON.stringify(data, null, 2));
  }),
];
