// German words of the pages on which administrators set up mail and other services.
import type { Words } from "#words/en/catalogue.js";

export const operator: Words["operator"] = {
  mail: {
    lead: "Die Seite verschickt E-Mails, um Adressen zu bestätigen, Passwörter zurückzusetzen und zu benachrichtigen.",
    consequence:
      "Sobald ein Mailserver eingerichtet ist, müssen neue Benutzer ihre E-Mail-Adresse bestätigen, bevor sie veröffentlichen können.",
    none: "Es ist kein Mailserver eingerichtet",
    noneText: "Die Seite kann keine E-Mails verschicken. Wer sein Passwort vergisst, braucht deine Hilfe.",
    host: "Server",
    hostHint: "Zum Beispiel smtp.example.org",
    port: "Port",
    portHint: "Wenn leer: 465 für TLS, sonst 587",
    security: "Verschlüsselung",
    securities: {
      tls: "TLS von Anfang an",
      starttls: "STARTTLS, zwingend",
      auto: "STARTTLS, wenn der Server es anbietet",
    },
    user: "Benutzername",
    userHint: "Leer, wenn der Server keine Anmeldung braucht",
    password: "Passwort",
    passwordSet:
      "Ein Passwort ist verschlüsselt gespeichert. Wenn leer, bleibt es, solange Server und Benutzername gleich bleiben",
    passwordNone: "Wird verschlüsselt gespeichert und nie wieder angezeigt",
    isSet: "gesetzt, wird nicht angezeigt",
    from: "Absender",
    fromHint: "Zum Beispiel Modshelf <noreply@example.org>",
    remove: "Mailserver entfernen",
    removeText: "Die Seite verschickt dann keine E-Mails mehr, und das gespeicherte Passwort wird gelöscht.",
    test: "Test",
    testLead: (address) =>
      `Schickt eine Nachricht an deine eigene Adresse ${address}, mit den Einstellungen, die gerade gelten.`,
    testButton: "Testnachricht an mich senden",
    noAddress: "Dein Konto hat keine E-Mail-Adresse. Füge in deinen Einstellungen eine hinzu.",
    subject: "Test-E-Mail",
    text: (url) => `Das ist eine Test-E-Mail aus der Verwaltung von ${url}. Es funktioniert.\n`,
    outcomes: {
      accepted: "Der Mailserver hat die Nachricht angenommen",
      unknownHost: "Es gibt keinen Server mit diesem Namen",
      refused: "Die Verbindung wurde abgelehnt",
      silent: "Der Server hat nicht rechtzeitig geantwortet",
      insecure: "Eine sichere Verbindung ist nicht möglich",
      noMailServer: "Die Gegenstelle verhält sich nicht wie ein Mailserver",
      wrongLogin: "Der Server hat den Benutzernamen oder das Passwort abgelehnt",
      wrongAddress: "Der Server hat den Absender oder den Empfänger abgelehnt",
      wrongMessage: "Der Server hat die Nachricht abgelehnt",
      failed: "Die Nachricht konnte nicht gesendet werden",
    },
    advice: {
      accepted: "Sieh in deinem Posteingang nach, und im Spam-Ordner, wenn sie nicht ankommt.",
      unknownHost: "Prüfe die Schreibweise des Servers.",
      refused: "Prüfe Server und Port, und ob eine Firewall diesen Server hinauslässt.",
      silent:
        "Prüfe den Port, und ob eine Firewall diesen Server hinauslässt. Manche Hosting-Anbieter sperren die Ports für E-Mail.",
      insecure:
        "Wähle die Verschlüsselung, die zum Port gehört (465: TLS von Anfang an, 587: STARTTLS), und prüfe, ob das Zertifikat für den Namen des Servers gilt.",
      noMailServer: "Prüfe den Port und wähle die Verschlüsselung, die zu ihm gehört.",
      wrongLogin: "Prüfe beides. Manche Anbieter verlangen ein eigenes Passwort für Programme.",
      wrongAddress: "Prüfe den Absender: Viele Server nehmen nur Adressen des angemeldeten Kontos an.",
      wrongMessage: "Die Antwort des Servers nennt den Grund.",
      failed: "Der Grund steht im Protokoll des Servers.",
    },
    reply: "Antwort des Servers:",
  },
  signIn: {
    lead: "Neben Passwörtern und Passkeys können sich Benutzer mit einem Konto bei einem anderen Dienst anmelden.",
    states: { on: "an", off: "aus", missing: "nicht eingerichtet" },
    edit: "Bearbeiten",
    setUp: "Einrichten",
    of: (action, provider) => `${action}: ${provider}`,
    back: "Alle Anbieter",
    register: (provider) => `Eine Anwendung bei ${provider} anlegen`,
    registerText:
      "Gib dort diese URL als Redirect- oder Callback-URL an und kopiere dann die Client-ID und das Geheimnis hierher.",
    gitlabScopes: "Die Anwendung braucht die Scopes openid und email.",
    redirect: "Redirect-URL",
    url: "URL der GitLab-Instanz",
    clientId: "Client-ID",
    clientSecret: "Client-Geheimnis",
    secretSet:
      "Ein Geheimnis ist verschlüsselt gespeichert. Wenn leer, bleibt es, solange Client-ID und URL gleich bleiben",
    secretNone: "Wird verschlüsselt gespeichert und nie wieder angezeigt",
    isSet: "gesetzt, wird nicht angezeigt",
    isOn: (provider) => `Benutzer können sich mit ${provider} anmelden`,
    isOnHint: "Wenn aus, können sich Konten ohne einen anderen Weg nicht anmelden",
    tryIt: "Ausprobieren",
    tryText: (provider) =>
      `Meldet dich mit ${provider} an. Wenn die Seite dann sagt, dass kein Konto mit deinem verknüpft ist, stimmen die Einstellungen auch: Verknüpfe es unter Einstellungen, Konto.`,
    remove: "Anbieter entfernen",
    removeText:
      "Client-ID und Geheimnis werden gelöscht. Verknüpfte Konten bleiben verknüpft und funktionieren wieder, wenn der Anbieter neu eingerichtet ist.",
  },
};
