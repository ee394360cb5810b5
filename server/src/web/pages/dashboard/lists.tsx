// The user's organizations and collections.

import type { Collection } from "#community/collections/shapes.js";
import type { Organization } from "#content/organizations/shapes.js";
import type { Children } from "#lib/jsx-runtime.js";
import { useTexts } from "#web/context/texts.js";
import { ButtonLink } from "#web/parts/button.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { drawnPicture, Picture } from "#web/parts/picture.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";

const New = ({ href, children }: { href: string; children: Children }) => (
  <p>
    <ButtonLink href={href}>{children}</ButtonLink>
  </p>
);

export const Organizations = ({ organizations }: { organizations: readonly Organization[] }) => {
  const t = useTexts(texts.dashboard.overview);
  if (organizations.length === 0)
    return (
      <EmptyState title={t.noOrganizations} action={{ href: "/organizations/new", text: t.newOrganization }}>
        <p>{t.noOrganizationsText}</p>
      </EmptyState>
    );
  return (
    <>
      <New href="/organizations/new">{t.newOrganization}</New>
      <ul class="rows">
        {organizations.map(({ id, name, slug, icon, members }) => (
          <li key={id} class="card row">
            <Picture src={icon} size={40} />
            <div class="grow stack">
              <h2>
                <a href={`/organization/${slug}`} dir="auto">
                  {name}
                </a>
              </h2>
              <p class="muted small">{t.members(members.length)}</p>
            </div>
            <ButtonLink
              kind="quiet"
              small
              href={`/organization/${slug}/settings`}
              aria-label={`${t.settings}: ${name}`}
            >
              {t.settings}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </>
  );
};

export const Collections = ({ collections }: { collections: readonly Collection[] }) => {
  const t = useTexts(texts.dashboard.overview);
  const { edit } = useTexts(texts.parts.common);
  if (collections.length === 0)
    return (
      <EmptyState title={t.noCollections} action={{ href: "/collections/new", text: t.newCollection }}>
        <p>{t.noCollectionsText}</p>
      </EmptyState>
    );
  return (
    <>
      <New href="/collections/new">{t.newCollection}</New>
      <ul class="rows">
        {collections.map(({ id, name, icon, visibility, projects, dateUpdated }) => (
          <li key={id} class="card row">
            <Picture src={icon ?? drawnPicture("collection", id)} size={40} />
            <div class="grow stack">
              <h2>
                <a href={`/collection/${id}`} dir="auto">
                  {name}
                </a>
              </h2>
              <p class="muted small">
                {t.collectionVisibilities[visibility]} · {t.projectCount(projects.length)} · {t.updated}{" "}
                <Time at={dateUpdated} />
              </p>
            </div>
            <ButtonLink kind="quiet" small href={`/collection/${id}/edit`} aria-label={`${edit}: ${name}`}>
              {edit}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </>
  );
};
