// The footer of every page; help is always in the same place.

import { version } from "#lib/version.js";
import { useFrame } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { languages, locales } from "#words/languages.js";
import { texts } from "#words/texts.js";

export const SiteFooter = () => {
  const t = useTexts(texts.frame.shell);
  const { theme, locale, url, look } = useFrame();
  return (
    <footer class="site-footer">
      <div class="wrap">
        <nav aria-label={t.about}>
          <a href="/about">{t.about}</a>
          <a href="/legal/rules">{t.rules}</a>
          <a href="/legal/terms">{t.terms}</a>
          <a href="/legal/privacy">{t.privacy}</a>
          <a href="/feeds">{t.feeds}</a>
          <a href="/docs">{t.documentation}</a>
          <a href="/api/docs">{t.apiReference}</a>
          <a href="/status">{t.status}</a>
          {look.footerLinks.map(({ text, url: href }) => (
            <a key={href} href={href} rel="noopener" dir="auto">
              {text}
            </a>
          ))}
        </nav>
        <Form class="footer-form" action="/settings/display">
          <input type="hidden" name="next" value={url} />
          <label>
            {t.theme}{" "}
            <select name="theme" data-submits>
              {(["auto", "light", "dark"] as const).map((name) => (
                <option key={name} value={name} selected={name === (theme ?? "auto")}>
                  {t.themes[name]}
                </option>
              ))}
            </select>
          </label>
          <label>
            {t.language}{" "}
            <select name="lang" data-submits>
              {locales.map((name) => (
                <option key={name} value={name} selected={name === locale} lang={name}>
                  {languages[name].name}
                </option>
              ))}
            </select>
          </label>
          <Button kind="quiet">{t.apply}</Button>
        </Form>
        <p class="muted small">Modshelf {version}</p>
      </div>
    </footer>
  );
};
