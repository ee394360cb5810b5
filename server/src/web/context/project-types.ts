// The project types as the site names them: in paths, in the singular and in the plural. The operator's taxonomy decides;
// its texts are shown in every language, but those that are the same as the English ones of Modshelf are translated.

import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";
import { useFrame } from "./frame.js";
import { tagName } from "./tag-names.js";

/** In the order of the navigation. */
export const projectTypes = ["mod", "modpack", "shader", "resource-pack", "datamod", "plugin", "world"] as const;

export type TypeSource = Pick<Taxonomy, "findProjectType">;

/** For pages that do not wait for the taxonomy: the types that come with Modshelf. */
export const includedTypes: TypeSource = { findProjectType: () => undefined };

export interface TypeWords {
  /** "Resource pack" */
  typeName(type: string): string;
  /** "Resource packs" */
  typeNames(type: string): string;
  /** "/resource-packs" */
  typePath(type: string): string;
}

const { projectType: one, projectTypes: several } = texts.names;

const find = (known: Readonly<Record<string, string>>, type: string): string | undefined =>
  Object.hasOwn(known, type) ? known[type] : undefined;

export function typeWords({ findProjectType }: TypeSource, locale: Locale): TypeWords {
  const isOwn = (text: string | undefined, known: typeof one | typeof several, type: string): text is string =>
    text !== undefined && text !== find(textsIn(known, "en"), type);
  const typeName = (type: string): string => {
    const label = findProjectType(type)?.label;
    return isOwn(label, one, type) ? label : (find(textsIn(one, locale), type) ?? tagName(type));
  };
  return {
    typeName,
    typeNames(type) {
      const { label, plural } = findProjectType(type) ?? {};
      if (isOwn(plural, several, type)) return plural;
      const known = isOwn(label, one, type) ? undefined : find(textsIn(several, locale), type);
      return known ?? `${typeName(type)}s`;
    },
    typePath: (type) => `/${findProjectType(type)?.path ?? `${type}s`}`,
  };
}

export const useTypes = (): TypeWords => {
  const { typeSource, locale } = useFrame();
  return typeWords(typeSource, locale);
};
