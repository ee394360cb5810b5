// The scopes of tokens in groups, as people think of them, and the choices that fit most uses.
import { assignableScopes, type Scope, staffScope } from "#lib/scopes.js";
import { defineTexts } from "#web/texts.js";

export const scopeTexts = defineTexts({
  en: {
    groups: {
      user: "Your account",
      notification: "Notifications",
      project: "Projects",
      version: "Versions",
      organization: "Organizations",
      collection: "Collections",
      report: "Reports",
      thread: "Conversations",
    },
    verbs: {
      create: "Create",
      read: "Read",
      write: "Change",
      delete: "Delete",
      read_email: "Read the e-mail address",
      write_email: "Change the e-mail address",
    },
    presets: { ci: "CI publishing", read: "Read only", custom: "Something else" },
    presetHints: {
      ci: "Uploads versions of your projects from a build, and nothing else.",
      read: "Sees what you see; changes nothing.",
      custom: "You choose below what it may do.",
    },
    staff: "Staff",
    powers: "Powers of your role",
    powersHint: "Lets the token act as a moderator or administrator wherever its other scopes allow it.",
  },
  de: {
    groups: {
      user: "Dein Konto",
      notification: "Benachrichtigungen",
      project: "Projekte",
      version: "Versionen",
      organization: "Organisationen",
      collection: "Sammlungen",
      report: "Meldungen",
      thread: "Gespräche",
    },
    verbs: {
      create: "Anlegen",
      read: "Lesen",
      write: "Ändern",
      delete: "Löschen",
      read_email: "E-Mail-Adresse lesen",
      write_email: "E-Mail-Adresse ändern",
    },
    presets: { ci: "Veröffentlichen aus der CI", read: "Nur lesen", custom: "Etwas anderes" },
    presetHints: {
      ci: "Lädt aus einem Build Versionen deiner Projekte hoch, sonst nichts.",
      read: "Sieht, was du siehst; ändert nichts.",
      custom: "Du wählst unten, was es darf.",
    },
    staff: "Team der Seite",
    powers: "Rechte deiner Rolle",
    powersHint: "Das Token handelt als Moderator oder Administrator, wo seine anderen Rechte es erlauben.",
  },
});

type ScopeGroup = keyof (typeof scopeTexts)["en"]["groups"];
type ScopeVerb = keyof (typeof scopeTexts)["en"]["verbs"];

/** "user_read_email" is "read_email" of the group "user". */
export const splitScope = (scope: Scope): { group: ScopeGroup; verb: ScopeVerb } => {
  const [group, ...verb] = scope.split("_");
  return { group: group as ScopeGroup, verb: verb.join("_") as ScopeVerb };
};

export const scopeGroups: [ScopeGroup, Scope[]][] = (Object.keys(scopeTexts.en.groups) as ScopeGroup[]).map((group) => [
  group,
  assignableScopes.filter((scope) => splitScope(scope).group === group),
]);

export const presetNames = ["ci", "read", "custom"] as const;
export type Preset = (typeof presetNames)[number];

const presets: Record<Exclude<Preset, "custom">, readonly Scope[]> = {
  ci: ["user_read", "project_read", "version_create", "version_read", "version_write"],
  read: assignableScopes.filter((scope) => scope.endsWith("_read")),
};

export const scopeField = <S extends string>(scope: S): `scope_${S}` => `scope_${scope}`;
const offered = [...assignableScopes, staffScope] as const;
export const scopeFields = offered.map(scopeField);

/** What the form asks for: a preset has its own, however the boxes stand. */
export function scopesOf(form: Record<string, string | undefined>): readonly Scope[] {
  const { preset } = form;
  if (preset === "ci" || preset === "read") return presets[preset];
  return offered.filter((scope) => form[scopeField(scope)] !== undefined);
}
