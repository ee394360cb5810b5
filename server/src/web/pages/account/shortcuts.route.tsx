// The routes of the page in shortcuts.tsx.
import Type from "typebox";
import { setShortcuts } from "#accounts/users/write.js";
import { type DeskKeys, deskActs, findKeyFaults, readShortcuts, type Shortcuts, toKey } from "#lib/shortcuts.js";
import { write } from "#platform/changes/write.js";
import { needs, readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { isStaff } from "#platform/http/viewer.js";
import { type FormProblems, formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";
import { settingsPage, wordsFor } from "./settings-frame.js";
import { path, ShortcutForm } from "./shortcuts.js";

export const shortcutRoutes: Route[] = [
  pageRoute(
    {
      id: "getShortcutsPage",
      path,
      access: needs("user_read"),
      summary: "Keyboard shortcuts",
      query: Type.Object({ done: Type.Optional(Type.String({ maxLength: 16 })) }),
    },
    async ({ viewer, request, query }) => {
      const t = wordsFor(request, texts.account.shortcut);
      return settingsPage({
        title: wordsFor(request, texts.account.settings).shortcuts,
        lead: t.lead,
        done: { saved: wordsFor(request, texts.account.settings).saved, reset: t.wasReset }[query.done ?? ""],
        children: <ShortcutForm shortcuts={readShortcuts(viewer.user.shortcuts)} isStaff={isStaff(viewer)} />,
      });
    },
  ),
  memberFormRoute(
    {
      id: "submitShortcuts",
      path,
      access: readable("user_write"),
      summary: "Change keyboard shortcuts",
      body: formFields("isOn", "reset", ...deskActs),
    },
    async ({ body, viewer, actor, request, reply }, resources) => {
      const save = (shortcuts: Shortcuts | null) =>
        write(resources, actor, (tx) => setShortcuts(tx, viewer.user.id, shortcuts));
      if (body.reset !== undefined) {
        await save(null);
        return seeOther(reply, `${path}?done=reset`);
      }
      const before = readShortcuts(viewer.user.shortcuts);
      const desk = Object.fromEntries(
        deskActs.map((act) => [act, body[act] === undefined ? before.desk[act] : toKey(body[act])]),
      ) as DeskKeys;
      const shortcuts = { isOn: body.isOn !== undefined, desk };
      const problems = toProblems(desk, localeOf(request));
      if (!problems) {
        await save(shortcuts);
        return seeOther(reply, `${path}?done=saved`);
      }
      const t = wordsFor(request, texts.account.settings);
      const form = <ShortcutForm shortcuts={shortcuts} isStaff={isStaff(viewer)} problems={problems} />;
      return settingsPage({ title: t.shortcuts, status: problems.status, children: form });
    },
  ),
];

function toProblems(keys: DeskKeys, locale: Locale): FormProblems | undefined {
  const t = textsIn(texts.account.shortcut, locale);
  const faults = Object.entries(findKeyFaults(keys));
  if (faults.length === 0) return undefined;
  const say = ([act, fault]: (typeof faults)[number]) => [
    act,
    fault.kind === "taken" ? t.taken(textsIn(texts.moderation.key, locale)[fault.by]) : t[fault.kind],
  ];
  return { status: 400, message: t.wrong, fields: Object.fromEntries(faults.map(say)) };
}
