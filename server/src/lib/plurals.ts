// The plural form that a number needs: "1 day", "2 days". Other languages have more forms; Intl knows them.

export type PluralForms = { readonly other: string } & { readonly [R in Intl.LDMLPluralRule]?: string };

/** `plural(count, { one: "a day", other: `${count} days` })` */
export function pluralsIn(locale: string): (count: number, forms: PluralForms) => string {
  const rules = new Intl.PluralRules(locale);
  return (count, forms) => forms[rules.select(count)] ?? forms.other;
}
