// The security log: sign-ins, sessions, tokens, passwords, in the order in which they happened.
import Type from "typebox";
import { listSecurityEvents, type SecurityEvent } from "#accounts/users/security-log.js";
import { sessionOnly } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { pageRoute } from "#web/page.js";
import { ButtonLink } from "#web/parts/button.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Time } from "#web/parts/time.js";
import { defineTexts, useTexts } from "#web/texts.js";
import { settingsPage, wordsFor } from "./settings-frame.js";
import { settingsTexts } from "./settings-texts.js";

const texts = defineTexts({
  en: {
    lead: "What happened to your account. If there is something you did not do: change your password and end all other sessions.",
    what: "What",
    when: "When",
    where: "Network",
    byOther: "not by you",
    older: "Older",
    empty: "Nothing yet",
    actions: {
      "session.create": "Signed in",
      "session.confirm": "Identity confirmed",
      "session.end": "Session ended",
      "session.end.others": "All other sessions ended",
      "token.create": "Token made",
      "token.update": "Token changed",
      "token.delete": "Token revoked",
      "token.leaked": "Token revoked by somebody who found it",
      "token.publisher.add": "Build trusted to publish",
      "token.publisher.remove": "Build trusted no more",
      "token.exchange": "Token given to a trusted build",
      "user.create": "Account made",
      "user.rename": "User name changed",
      "user.password.set": "Password set",
      "user.password.remove": "Password removed",
      "user.credentials.drop": "Other ways into the account removed",
      "user.password.reset.request": "Asked for a new password by mail",
      "user.email.request": "Asked for another e-mail address",
      "user.email.set": "E-mail address changed",
      "user.provider.link": "Account of another service linked",
      "user.provider.unlink": "Account of another service unlinked",
      "user.second-factor.on": "Second factor turned on",
      "user.second-factor.off": "Second factor turned off",
      "user.feed-key.create": "Address of the feed of what you follow made",
      "user.feed-key.delete": "Address of the feed of what you follow revoked",
      "user.recovery-codes.renew": "New recovery codes made",
      "user.recovery-codes.use": "Recovery code used",
      "user.passkey.add": "Passkey added",
      "user.passkey.remove": "Passkey removed",
      "user.role.set": "Role changed",
      "user.suspend": "Account suspended",
      "user.unsuspend": "Suspension lifted",
    },
  },
  de: {
    lead: "Was mit deinem Konto geschah. Ist etwas dabei, das du nicht warst: Ändere dein Passwort und beende alle anderen Sitzungen.",
    what: "Was",
    when: "Wann",
    where: "Netz",
    byOther: "nicht von dir",
    older: "Ältere",
    empty: "Noch nichts",
    actions: {
      "session.create": "Angemeldet",
      "session.confirm": "Identität bestätigt",
      "session.end": "Sitzung beendet",
      "session.end.others": "Alle anderen Sitzungen beendet",
      "token.create": "Token angelegt",
      "token.update": "Token geändert",
      "token.delete": "Token widerrufen",
      "token.leaked": "Token widerrufen von jemandem, der es gefunden hat",
      "token.publisher.add": "Build zum Veröffentlichen zugelassen",
      "token.publisher.remove": "Build nicht mehr zugelassen",
      "token.exchange": "Token an einen zugelassenen Build gegeben",
      "user.create": "Konto angelegt",
      "user.rename": "Benutzername geändert",
      "user.password.set": "Passwort gesetzt",
      "user.password.remove": "Passwort entfernt",
      "user.credentials.drop": "Andere Zugänge zum Konto entfernt",
      "user.password.reset.request": "Um ein neues Passwort per Mail gebeten",
      "user.email.request": "Um eine andere E-Mail-Adresse gebeten",
      "user.email.set": "E-Mail-Adresse geändert",
      "user.provider.link": "Konto eines anderen Dienstes verknüpft",
      "user.provider.unlink": "Konto eines anderen Dienstes getrennt",
      "user.second-factor.on": "Zweiter Faktor eingeschaltet",
      "user.second-factor.off": "Zweiter Faktor ausgeschaltet",
      "user.feed-key.create": "Adresse des Feeds, was du verfolgst, angelegt",
      "user.feed-key.delete": "Adresse des Feeds, was du verfolgst, widerrufen",
      "user.recovery-codes.renew": "Neue Wiederherstellungscodes erzeugt",
      "user.recovery-codes.use": "Wiederherstellungscode benutzt",
      "user.passkey.add": "Passkey hinzugefügt",
      "user.passkey.remove": "Passkey entfernt",
      "user.role.set": "Rolle geändert",
      "user.suspend": "Konto gesperrt",
      "user.unsuspend": "Sperre aufgehoben",
    },
  },
});

const path = "/settings/security-log";
const pageSize = 50;

export const securityLogRoutes: Route[] = [
  pageRoute(
    {
      id: "getSecurityLogPage",
      path,
      access: sessionOnly("user_session_read"),
      summary: "What happened to the own account",
      query: Type.Object({ before: Type.Optional(Type.Integer({ minimum: 1 })) }),
    },
    async ({ request, viewer, query }, { db }) => {
      const found = await listSecurityEvents(db, viewer.user.id, { before: query.before, limit: pageSize + 1 });
      const events = found.slice(0, pageSize);
      const next = found.length > pageSize ? events.at(-1)?.id : undefined;
      return settingsPage({
        title: wordsFor(request, settingsTexts).log,
        lead: wordsFor(request, texts).lead,
        children: <Log events={events} next={next} />,
      });
    },
  ),
];

const Log = ({ events, next }: { events: readonly SecurityEvent[]; next: number | undefined }) => {
  const t = useTexts(texts);
  const actions: Record<string, string> = t.actions;
  if (events.length === 0) return <EmptyState title={t.empty} />;
  return (
    <>
      <table class="log">
        <thead>
          <tr>
            <th scope="col">{t.what}</th>
            <th scope="col">{t.when}</th>
            <th scope="col">{t.where}</th>
          </tr>
        </thead>
        <tbody>
          {events.map((event) => (
            <tr key={event.id}>
              <td>
                {actions[event.action] ?? event.action} <Detail event={event} />
              </td>
              <td>
                <Time at={event.date} />
              </td>
              <td>{event.isByOther ? t.byOther : event.address}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {next !== undefined && (
        <p>
          <ButtonLink kind="quiet" href={`${path}?before=${next}`} rel="next">
            {t.older}
          </ButtonLink>
        </p>
      )}
    </>
  );
};

/** The one word of the detail that tells events of a kind apart. */
const Detail = ({ event: { action, detail } }: { event: SecurityEvent }) => {
  const { provider, name, to, repository } = detail;
  const word = provider ?? name ?? to ?? repository ?? (action === "user.role.set" ? detail.role : undefined);
  return typeof word === "string" ? <bdi class="muted">{word}</bdi> : null;
};
