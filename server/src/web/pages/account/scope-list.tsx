// The scopes of an application, each as a sentence.
import type { Scope } from "#lib/scopes.js";
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";

export const ScopeList = ({ scopes }: { scopes: readonly Scope[] }) => {
  const t: Partial<Record<Scope, string>> = useTexts(texts.applications.scopes);
  return (
    <ul class="scope-list">
      {scopes.map((scope) => (
        <li key={scope}>{t[scope] ?? scope}</li>
      ))}
    </ul>
  );
};
