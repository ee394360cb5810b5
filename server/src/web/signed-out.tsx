// Somebody sent a form after his session had ended: what he typed comes back, to be sent again.
import type { FastifyRequest } from "fastify";
import type { Page } from "./layout.js";
import { Notice } from "./parts/notice.js";
import { pathOf, signInPath } from "./paths.js";
import { defineTexts, useTexts } from "./texts.js";

const texts = defineTexts({
  en: {
    title: "You are signed out",
    lead: "Your session ended before you sent this. Nothing of what you wrote is lost.",
    signIn: "Sign in (in a new tab)",
    comeBack: "Then come back to this page and send it again:",
    again: "Send it again",
    files: "Files have to be chosen anew.",
  },
  de: {
    title: "Du bist abgemeldet",
    lead: "Deine Sitzung endete, bevor du das abgeschickt hast. Nichts davon ist verloren.",
    signIn: "Anmelden (in einem neuen Tab)",
    comeBack: "Komm danach auf diese Seite zurück und schick es noch einmal ab:",
    again: "Noch einmal abschicken",
    files: "Dateien müssen neu ausgewählt werden.",
  },
});

export const signedOutPage = ({ request, body }: { request: FastifyRequest; body: unknown }): Page => ({
  title: "401",
  status: 401,
  content: (
    <SignedOut
      action={pathOf(request)}
      isMultipart={request.isMultipart()}
      fields={body as Record<string, unknown> | undefined}
      path={pathOf(request)}
    />
  ),
});

const SignedOut = ({
  action,
  isMultipart,
  fields = {},
  path,
}: {
  action: string;
  isMultipart: boolean;
  fields?: Record<string, unknown>;
  path: string;
}) => {
  const t = useTexts(texts);
  const typed = Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (typeof one === "string" ? [[name, one] as const] : [])),
  );
  return (
    <div class="stack narrow">
      <h1>{t.title}</h1>
      <Notice kind="warning" title={t.lead}>
        <p>{t.files}</p>
      </Notice>
      <p>
        <a class="button" href={signInPath("/")} target="_blank" rel="noopener">
          {t.signIn}
        </a>
      </p>
      <form
        class="stack"
        method="post"
        action={action}
        encType={isMultipart ? "multipart/form-data" : "application/x-www-form-urlencoded"}
      >
        <p>{t.comeBack}</p>
        {typed.map(([name, value], index) => (
          <textarea key={`${name}-${index}`} name={name} hidden readOnly value={value} />
        ))}
        <button class="button quiet" type="submit">
          {t.again}
        </button>
      </form>
      <p class="muted small">
        <code>{path}</code>
      </p>
    </div>
  );
};
