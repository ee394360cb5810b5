// The header of every page: navigation, search and account menu. On phones a menu contains what does not fit.

import { accountRole } from "#platform/http/staff-powers.js";
import type { Viewer } from "#platform/http/viewer.js";
import { pictureUrl } from "#platform/pictures/read.js";
import { Logo } from "#web/assets/logo.js";
import { useFrame } from "#web/context/frame.js";
import { signInPath } from "#web/context/paths.js";
import { useTypes } from "#web/context/project-types.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { Icon } from "#web/parts/icon.js";
import { Picture } from "#web/parts/picture.js";
import { TagIcon } from "#web/parts/tag-icon.js";
import { texts } from "#words/texts.js";
import { searchFieldId } from "./bottom-bar.js";
import { Mark } from "./mark.js";

/** The parts of the header that depend on the page. */
export interface HeaderParts {
  /** The project type of the page, to mark it in the navigation. */
  section?: string | undefined;
  /** On lists: the text that was searched for, and the form that the search field of the header belongs to. */
  search?: { query: string; form: string; label: string } | undefined;
}

/** In the order in which it is seen, which is the order of the Tab key too: the first row, then the second. */
export const SiteHeader = ({ section, search }: HeaderParts) => {
  const { viewer, path, url, types, look, logo } = useFrame();
  const { typeNames, typePath } = useTypes();
  const t = useTexts(texts.frame.shell);
  return (
    <header class="site-header">
      <div class="wrap">
        <a class="brand" href="/">
          {logo ? <Logo logo={logo} /> : <Mark />} <span dir="auto">{look.name}</span>
        </a>
        <SiteSearch search={search} />
        {viewer.kind === "anonymous" ? <GuestLinks /> : <Account viewer={viewer} />}
        <div class="site-bar">
          <nav class="site-nav" aria-label={t.site}>
            {types.map((type) => (
              <a
                key={type}
                href={typePath(type)}
                aria-current={[path, url].includes(typePath(type)) ? "page" : type === section ? "true" : undefined}
              >
                <TagIcon kind="type" name={type} /> {typeNames(type)}
              </a>
            ))}
          </nav>
          <SetupChip />
        </div>
      </div>
    </header>
  );
};

/** The only search field of a page. On a list it belongs to the form of the list, so that a search keeps the filters. */
const SiteSearch = ({ search }: Pick<HeaderParts, "search">) => {
  const t = useTexts(texts.frame.shell);
  const label = search?.label ?? t.searchFor;
  const parts = (
    <>
      <input
        type="search"
        id={searchFieldId}
        name="q"
        value={search?.query || undefined}
        form={search?.form}
        maxlength={64}
        placeholder={label}
        aria-label={search?.label ?? t.search}
        data-search
        data-suggests={t.suggestions}
      />
      <Button kind="quiet" class="icon-only" form={search?.form} aria-label={t.search}>
        <Icon name="search" />
      </Button>
    </>
  );
  return (
    <search>
      {search ? (
        <div class="site-search">{parts}</div>
      ) : (
        <Form method="get" class="site-search" action="/search">
          {parts}
        </Form>
      )}
    </search>
  );
};

/** The game version and loader that results are filtered by; one click removes them. */
const SetupChip = () => {
  const { setupName, url } = useFrame();
  const t = useTexts(texts.frame.shell);
  if (setupName === "") return null;
  return (
    <Form class="setup-chip" action="/settings/setup">
      <input type="hidden" name="next" value={url} />
      <a href="/settings#setup" title={t.setup}>
        {setupName}
      </a>
      <button type="submit" aria-label={t.dropSetup} title={t.dropSetup}>
        ×
      </button>
    </Form>
  );
};

const GuestLinks = () => {
  const { url, isPerhapsMember } = useFrame();
  const t = useTexts(texts.frame.shell);
  if (isPerhapsMember)
    return (
      <div class="account-links">
        <a href="/dashboard">{t.dashboard}</a>
      </div>
    );
  return (
    <div class="account-links">
      <a href={signInPath(url)}>{t.signIn}</a>
      <ButtonLink href="/auth/sign-up">{t.signUp}</ButtonLink>
    </div>
  );
};

const Account = ({ viewer }: { viewer: Exclude<Viewer, { kind: "anonymous" }> }) => {
  const { unread } = useFrame();
  const t = useTexts(texts.frame.shell);
  const { id, userName, avatarFile = null } = viewer.user;
  // Shown also if the powers are not in force: the pages behind these links ask the user to confirm their identity.
  const role = accountRole(viewer.user);
  return (
    <div class="account-links">
      <ButtonLink href="/new">{t.publish}</ButtonLink>
      <a class="bell" href="/dashboard/notifications" aria-label={t.notifications(unread) as string} data-swap="bell">
        <Icon name="bell" />
        {unread > 0 && <span class="badge">{unread > 99 ? "99+" : unread}</span>}
      </a>
      <details class="menu">
        <summary>
          <Picture src={pictureUrl("", "user", id, avatarFile)} size={24} round /> <span dir="auto">{userName}</span>
        </summary>
        <ul>
          <li class="phone-only">
            <a href="/new">{t.publish}</a>
          </li>
          <li>
            <a href="/dashboard">{t.dashboard}</a>
          </li>
          <li>
            <a href={`/user/${userName}`}>{t.profile}</a>
          </li>
          <li>
            <a href="/dashboard/library">{t.library}</a>
          </li>
          <li>
            <a href="/settings">{t.settings}</a>
          </li>
          {role !== "user" && (
            <li>
              <a href="/moderation">{t.moderation}</a>
            </li>
          )}
          {role === "admin" && (
            <li>
              <a href="/admin">{t.administration}</a>
            </li>
          )}
          <li>
            <Form action="/auth/sign-out">
              <button type="submit">{t.signOut}</button>
            </Form>
          </li>
        </ul>
      </details>
    </div>
  );
};
