// What a new site should look at, each point with what can be done about it at once; and what a trial has shown.
import type { Todo } from "#operations/administration/health.js";
import type { Trial } from "#operations/administration/trials.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { Notice } from "#web/parts/notice.js";
import { defineTexts, useTexts } from "#web/texts.js";
import { adminTexts } from "./admin-texts.js";

const texts = defineTexts({
  en: {
    goOn: "The set-up of this site is not finished",
    goOnText: "Two short pages are left: what the site is called, and what kinds of projects it has.",
    goOnButton: "Go on with the set-up",
    test: { mail: "Send yourself a test mail", storage: "Test the storage" },
    works: {
      mail: "The mail is on its way: look into your inbox",
      storage: "Something was written, read again and deleted: the storage works",
    },
    fails: { mail: "The mail could not be sent", storage: "The storage does not work" },
    noAddress: "Your account has no e-mail address; give it one in your settings.",
    noServer: "No mail server is named: set MODSHELF_SMTP_URL and MODSHELF_MAIL_FROM.",
    subject: "A test mail",
    text: (url: string) => `This mail was sent from the administration of ${url}. It works.\n`,
  },
  de: {
    goOn: "Diese Seite ist noch nicht fertig eingerichtet",
    goOnText: "Zwei kurze Seiten fehlen: wie sie heißt, und welche Arten von Projekten es gibt.",
    goOnButton: "Weiter einrichten",
    test: { mail: "Dir selbst eine Testmail schicken", storage: "Den Speicher ausprobieren" },
    works: {
      mail: "Die Mail ist unterwegs: Sieh in dein Postfach",
      storage: "Etwas wurde geschrieben, gelesen und gelöscht: Der Speicher geht",
    },
    fails: { mail: "Die Mail ließ sich nicht senden", storage: "Der Speicher geht nicht" },
    noAddress: "Dein Konto hat keine E-Mail-Adresse; gib ihm eine in deinen Einstellungen.",
    noServer: "Es ist kein Mailserver angegeben: Setze MODSHELF_SMTP_URL und MODSHELF_MAIL_FROM.",
    subject: "Eine Testmail",
    text: (url) => `Diese Mail kommt aus der Verwaltung von ${url}. Es geht.\n`,
  },
});

export const trialTexts = texts;

/** Where each is done, as far as it is done here. */
const places: Partial<Record<Todo["id"], string>> = {
  rules: "/admin/legal?page=rules",
  moderator: "/admin/users",
  review: "/admin/settings/moderation",
};

export const Checklist = ({ todos }: { todos: readonly Todo[] }) => {
  const t = useTexts(adminTexts);
  return (
    <ul class="plain desk-todos">
      {todos.map(({ id, isDone }) => (
        <li key={id}>
          <span class={isDone ? "pill release" : "pill beta"}>
            {isDone ? "✓" : "○"} {isDone ? t.isDone : t.isOpen}
          </span>
          <span>{places[id] ? <a href={places[id]}>{t.todos[id]}</a> : t.todos[id]}</span>
          {(id === "mail" || id === "storage") && <TestForm what={id} />}
        </li>
      ))}
    </ul>
  );
};

const TestForm = ({ what }: { what: Trial["what"] }) => {
  const t = useTexts(texts);
  return (
    <Form action={`/admin/test/${what}`}>
      <Button kind="quiet" small>
        {t.test[what]}
      </Button>
    </Form>
  );
};

export const TrialNotice = ({ trial }: { trial: Trial | undefined }) => {
  const t = useTexts(texts);
  if (!trial) return null;
  const { what, fault } = trial;
  return (
    <div role="status">
      {fault === undefined ? (
        <Notice title={t.works[what]} />
      ) : (
        <Notice kind="problem" title={t.fails[what]}>
          <p dir="auto">{fault === "no server" ? t.noServer : fault === "no address" ? t.noAddress : fault}</p>
        </Notice>
      )}
    </div>
  );
};

export const GoOn = () => {
  const t = useTexts(texts);
  return (
    <Notice title={t.goOn}>
      <p>{t.goOnText}</p>
      <p>
        <ButtonLink href="/setup/site">{t.goOnButton}</ButtonLink>
      </p>
    </Notice>
  );
};
