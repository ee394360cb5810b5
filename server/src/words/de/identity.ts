// German words of why the identity token of a build is rejected. They follow a colon.
import type { Words } from "#words/en/catalogue.js";

export const identity: Words["identity"] = {
  noTimes: "Es sagt nicht, wann es abläuft",
  expired: "Es ist abgelaufen",
  tooLong: "Es gilt länger als 31 Tage",
  notYet: "Es gilt noch nicht",
  audience: (audience) => `Es wurde nicht für diese Seite ausgestellt. Fordere die Audience ${audience} an`,
  event: (event) => `Builds, die ${event} startet, können nichts veröffentlichen`,
  workflow: "Sein Workflow ist keine Datei in seinem Repository",
  claim: (name) => `Der Claim ${name} fehlt oder ist ungültig`,
  notSigned: "Es ist kein mit RS256 signiertes Token",
  issuer: "Diese Seite vertraut seinem Aussteller nicht",
  signature: "Seine Signatur ist ungültig",
  used: "Es wurde schon benutzt",
  noPublisher: (repository, workflow) =>
    `Das Projekt vertraut keinen Builds von ${repository} mit dem Workflow ${workflow} und ohne Umgebung`,
  noPublisherIn: (repository, workflow, environment) =>
    `Das Projekt vertraut keinen Builds von ${repository} mit dem Workflow ${workflow} und der Umgebung ${environment}`,
  otherOwner: (repository) =>
    `${repository} gehört jetzt einem anderen Konto als bei der ersten Verwendung. Entferne den vertrauten Build und füge ihn neu hinzu`,
  mayNotPublish: "Wer den vertrauten Build hinzugefügt hat, kann keine Versionen des Projekts mehr veröffentlichen",
};
