// The navigation bar on phones, in reach of the thumb: the four places that are visited most.

import { useFrame } from "#web/context/frame.js";
import { signInPath } from "#web/context/paths.js";
import { useTexts } from "#web/context/texts.js";
import { Icon, type IconName } from "#web/parts/icon.js";
import { texts } from "#words/texts.js";

/** The pages that it marks when the visitor is there. */
export const placesOfBottomBar = ["/projects", "/dashboard/library", "/dashboard"] as const;

/** The field in the header. A link to it moves the focus there, also without script. */
export const searchFieldId = "search-field";

export const BottomBar = () => {
  const { viewer, path } = useFrame();
  const t = useTexts(texts.frame.shell);
  const isGuest = viewer.kind === "anonymous";
  const [browse, library, account] = placesOfBottomBar;
  // Pages below a place belong to it. Guests see none of them.
  const isPlace = placesOfBottomBar.some((place) => place === path);
  const above = isGuest || isPlace ? undefined : [library, account].find((place) => path.startsWith(`${place}/`));
  const places: readonly (readonly [to: string, icon: IconName, text: string])[] = [
    [browse, "gallery", t.browse],
    [`#${searchFieldId}`, "search", t.search],
    [library, "bookmark", t.library],
    [account, "user", t.account],
  ];
  return (
    <nav class="bottom-bar" aria-label={t.menu}>
      {places.map(([to, icon, text]) => (
        <a
          key={to}
          href={isGuest && to.startsWith("/dashboard") ? signInPath(to) : to}
          aria-current={path === to ? "page" : to === above ? "true" : undefined}
        >
          <Icon name={icon} />
          {text}
        </a>
      ))}
    </nav>
  );
};
