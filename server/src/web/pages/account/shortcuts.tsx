// Single keys: whether they do anything, and for moderators which does what at their desk.
import Type from "typebox";
import { setShortcuts } from "#accounts/users/write.js";
import { isStaff } from "#content/projects/policy.js";
import {
  type DeskAct,
  type DeskKeys,
  deskActs,
  findKeyFaults,
  readShortcuts,
  type Shortcuts,
  takenKey,
  toKey,
} from "#lib/shortcuts.js";
import { write } from "#platform/changes/write.js";
import { needs, readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { type FormProblems, formFields } from "#web/form.js";
import type { Locale } from "#web/locale.js";
import { memberFormRoute, pageRoute } from "#web/page.js";
import { keyTexts } from "#web/pages/moderation/key-texts.js";
import { Button } from "#web/parts/button.js";
import { commonTexts } from "#web/parts/common-texts.js";
import { Form } from "#web/parts/form.js";
import { CheckboxField } from "#web/parts/input-fields.js";
import { ProblemSummary } from "#web/parts/problem-summary.js";
import { TextField } from "#web/parts/text-field.js";
import { seeOther } from "#web/paths.js";
import { localeOf } from "#web/preferences.js";
import { defineTexts, textsIn, useTexts } from "#web/texts.js";
import { settingsPage, wordsFor } from "./settings-frame.js";
import { settingsTexts } from "./settings-texts.js";

const shortcutTexts = defineTexts({
  en: {
    lead: "Keys that do something without Ctrl or another key held. Turn them off if your software presses keys by chance.",
    isOn: "Single keys work on this site",
    isOnHint: "“/” goes to the search, “?” shows what keys there are; where there is no field to type into.",
    desk: "The moderation desk",
    deskHint: "One letter, digit or sign each; leave one empty and no key does it.",
    reset: "Back to the usual keys",
    wasReset: "The keys are the usual ones again.",
    wrong: "These keys cannot be used together",
    notOne: "One letter, digit or sign",
    site: `“${takenKey}” goes to the search on every page`,
    taken: (act: string) => `This key is used already: ${act}`,
  },
  de: {
    lead: "Tasten, die etwas tun, ohne dass du Strg oder eine andere hältst. Schalte sie ab, wenn deine Software versehentlich Tasten drückt.",
    isOn: "Einzelne Tasten wirken auf dieser Seite",
    isOnHint: "„/“ führt zur Suche, „?“ zeigt die Tasten; wo kein Feld zum Schreiben ist.",
    desk: "Der Schreibtisch der Moderation",
    deskHint: "Je ein Buchstabe, eine Ziffer oder ein Zeichen; bleibt ein Feld leer, tut es keine Taste.",
    reset: "Zurück zu den üblichen Tasten",
    wasReset: "Die Tasten sind wieder die üblichen.",
    wrong: "Diese Tasten gehen nicht zusammen",
    notOne: "Ein Buchstabe, eine Ziffer oder ein Zeichen",
    site: `„${takenKey}“ führt auf jeder Seite zur Suche`,
    taken: (act) => `Diese Taste ist schon vergeben: ${act}`,
  },
});

const path = "/settings/shortcuts";

export const shortcutRoutes: Route[] = [
  pageRoute(
    {
      id: "getShortcutsPage",
      path,
      access: needs("user_read"),
      summary: "What single keys do",
      query: Type.Object({ done: Type.Optional(Type.String({ maxLength: 16 })) }),
    },
    async ({ viewer, request, query }) => {
      const t = wordsFor(request, shortcutTexts);
      return settingsPage({
        title: wordsFor(request, settingsTexts).shortcuts,
        lead: t.lead,
        done: { saved: wordsFor(request, settingsTexts).saved, reset: t.wasReset }[query.done ?? ""],
        children: <ShortcutForm shortcuts={readShortcuts(viewer.user.shortcuts)} isStaff={isStaff(viewer)} />,
      });
    },
  ),
  memberFormRoute(
    {
      id: "submitShortcuts",
      path,
      access: readable("user_write"),
      summary: "Choose what single keys do",
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
      const t = wordsFor(request, settingsTexts);
      const form = <ShortcutForm shortcuts={shortcuts} isStaff={isStaff(viewer)} problems={problems} />;
      return settingsPage({ title: t.shortcuts, status: problems.status, children: form });
    },
  ),
];

function toProblems(keys: DeskKeys, locale: Locale): FormProblems | undefined {
  const t = textsIn(shortcutTexts, locale);
  const faults = Object.entries(findKeyFaults(keys));
  if (faults.length === 0) return undefined;
  const say = ([act, fault]: (typeof faults)[number]) => [
    act,
    fault.kind === "taken" ? t.taken(textsIn(keyTexts, locale)[fault.by]) : t[fault.kind],
  ];
  return { status: 400, message: t.wrong, fields: Object.fromEntries(faults.map(say)) };
}

interface Props {
  shortcuts: Shortcuts;
  isStaff: boolean;
  problems?: FormProblems;
}

const ShortcutForm = ({ shortcuts: { isOn, desk }, isStaff: hasDesk, problems }: Props) => {
  const t = useTexts(shortcutTexts);
  const { save } = useTexts(commonTexts);
  const acts = useTexts(keyTexts);
  return (
    <>
      {problems && <ProblemSummary problems={problems} labels={acts} />}
      <Form class="form card" action={path}>
        <CheckboxField name="isOn" label={t.isOn} hint={t.isOnHint} checked={isOn} />
        {hasDesk && (
          <fieldset class="stack">
            <legend>{t.desk}</legend>
            <p class="hint">{t.deskHint}</p>
            <div class="desk-filters">
              {deskActs.map((act: DeskAct) => (
                <TextField
                  key={act}
                  name={act}
                  label={acts[act]}
                  value={desk[act]}
                  lengths={[0, 2]}
                  problems={problems}
                />
              ))}
            </div>
          </fieldset>
        )}
        <div class="actions">
          <Button>{save}</Button>
          <Button kind="quiet" name="reset" value="yes" formNoValidate>
            {t.reset}
          </Button>
        </div>
      </Form>
    </>
  );
};
