// The languages of the site, which its mails speak as well.
import { isLocale, type Locale, localeNames, locales } from "#lib/locales.js";

export { isLocale, type Locale, localeNames, locales };
