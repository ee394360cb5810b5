// The words about what opens an account besides its password.
import { defineTexts } from "#web/texts.js";

export const credentialTexts = defineTexts({
  en: {
    keep: "Access tokens to keep",
    keepHint: "All others stop working.",
    drop: "Remove as well",
    dropHint: "If somebody else may have been in your account, remove what you do not recognize.",
    left: "What still opens your account",
    leftNone: "Nothing but the new password opens your account.",
    allGone: "Everything else that opens this account is removed",
    allGoneWhy:
      "Your address was never confirmed, so somebody else may have made this account. All sessions, access tokens, passkeys, linked accounts, trusted publishers, the second factor and the feed address are removed.",
    tokens: (count: number) => (count === 1 ? "1 access token" : `${count} access tokens`),
    passkeys: (count: number) => (count === 1 ? "1 passkey" : `${count} passkeys`),
    providers: (names: string) => `Linked accounts: ${names}`,
    publishers: (count: number) => (count === 1 ? "1 trusted publisher" : `${count} trusted publishers`),
    feedKey: "The secret address of your feed",
    secondFactor: "Signing in also takes a code from your authenticator app.",
  },
  de: {
    keep: "Zugangstokens, die du behältst",
    keepHint: "Alle anderen gelten dann nicht mehr.",
    drop: "Auch entfernen",
    dropHint: "Wenn jemand anderes in deinem Konto gewesen sein kann, entferne, was du nicht kennst.",
    left: "Was dein Konto noch öffnet",
    leftNone: "Nur das neue Passwort öffnet dein Konto.",
    allGone: "Alles andere, was dieses Konto öffnet, wird entfernt",
    allGoneWhy:
      "Deine Adresse wurde nie bestätigt, deshalb kann jemand anderes dieses Konto angelegt haben. Alle Sitzungen, Zugangstokens, Passkeys, verknüpften Konten, vertrauten Builds, der zweite Faktor und die Feed-Adresse werden entfernt.",
    tokens: (count) => (count === 1 ? "1 Zugangstoken" : `${count} Zugangstokens`),
    passkeys: (count) => (count === 1 ? "1 Passkey" : `${count} Passkeys`),
    providers: (names) => `Verknüpfte Konten: ${names}`,
    publishers: (count) => (count === 1 ? "1 vertrauter Build" : `${count} vertraute Builds`),
    feedKey: "Die geheime Adresse deines Feeds",
    secondFactor: "Zum Anmelden gehört auch ein Code aus deiner Authenticator-App.",
  },
});
