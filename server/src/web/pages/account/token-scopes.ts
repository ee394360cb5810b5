// The scopes of tokens in groups for display, and presets for common uses.

import { assignableScopes, type Scope, staffScope } from "#lib/scopes.js";
import { texts } from "#words/texts.js";

type ScopeGroup = keyof (typeof texts.account.scope)["en"]["groups"];
type ScopeVerb = keyof (typeof texts.account.scope)["en"]["verbs"];

/** "user_read_email" is "read_email" of the group "user". */
export const splitScope = (scope: Scope): { group: ScopeGroup; verb: ScopeVerb } => {
  const [group, ...verb] = scope.split("_");
  return { group: group as ScopeGroup, verb: verb.join("_") as ScopeVerb };
};

export const scopeGroups: [ScopeGroup, Scope[]][] = (Object.keys(texts.account.scope.en.groups) as ScopeGroup[]).map(
  (group) => [group, assignableScopes.filter((scope) => splitScope(scope).group === group)],
);

export const presetNames = ["ci", "read", "custom"] as const;
export type Preset = (typeof presetNames)[number];

const presets: Record<Exclude<Preset, "custom">, readonly Scope[]> = {
  ci: ["user_read", "project_read", "version_create", "version_read", "version_write"],
  read: assignableScopes.filter((scope) => scope.endsWith("_read")),
};

export const scopeField = <S extends string>(scope: S): `scope_${S}` => `scope_${scope}`;
const offered = [...assignableScopes, staffScope] as const;
export const scopeFields = offered.map(scopeField);

/** The chosen scopes: those of the preset, or else the ticked ones. */
export function scopesOf(form: Record<string, string | undefined>): readonly Scope[] {
  const { preset } = form;
  if (preset === "ci" || preset === "read") return presets[preset];
  return offered.filter((scope) => form[scopeField(scope)] !== undefined);
}
