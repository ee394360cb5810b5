// German words of why a message to a webhook was not delivered.
import type { Words } from "#words/en/catalogue.js";

export const deliveries: Words["deliveries"] = {
  noAnswerWithin: (seconds) => `Nach ${seconds} s kam keine Antwort`,
  reservedHost: "Der Hostname ist für Beispiele reserviert",
  unknownHost: "Der Hostname ist unbekannt",
  privateHost: "Der Hostname führt zu einer privaten Adresse",
  refusedUrl: (problem) => `Die URL ${problem}`,
  tlsFailed: (code) => `Das TLS-Zertifikat oder die Verbindung ist ungültig (${code})`,
  notHttp: "Die Antwort ist kein gültiges HTTP",
  connectionFailed: (code) => `Die Verbindung ist fehlgeschlagen${code && ` (${code})`}`,
  tooLarge: "Die Antwort ist zu groß",
  gone: "Der Empfänger antwortete, dass es ihn nicht mehr gibt (410)",
  pause: (status) => `Der Empfänger bittet um eine Pause (${status})`,
  redirect: (status) => `Der Empfänger leitet weiter (${status}); dem wird nicht gefolgt`,
  answered: (status) => `Der Empfänger antwortete mit ${status}`,
  switchedOff: "Der Webhook wurde abgeschaltet",
};
