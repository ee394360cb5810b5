// The view of a collection's page.

import type { Collection } from "#community/collections/shapes.js";
import { useFrame } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Form } from "#web/parts/form.js";
import { Icon } from "#web/parts/icon.js";
import { MoreMenu } from "#web/parts/more-menu.js";
import { drawnPicture } from "#web/parts/picture.js";
import { ProfileHeader } from "#web/parts/profile-header.js";
import { StaffCollectionMenu } from "#web/parts/staff-menu.js";
import { Time } from "#web/parts/time.js";
import { type ProjectPages, ProjectsByType, Totals } from "#web/shared/projects-by-type.js";
import { texts } from "#words/texts.js";

export interface CollectionPageData {
  collection: Collection;
  curator: { userName: string; name: string };
  list: ProjectPages;
  /** The number of projects in it that the visitor may not see. */
  hidden: number;
  isFiltered: boolean;
  canEdit: boolean;
  isFeatured: boolean;
}

export const CollectionView = ({ data }: { data: CollectionPageData }) => {
  const t = useTexts(texts.collections.collection);
  const { collection, curator, list, hidden } = data;
  return (
    <div class="stack loose">
      <ProfileHeader
        picture={collection.icon ?? drawnPicture("collection", collection.id)}
        name={collection.name}
        handle={
          <>
            {t.by} <a href={`/user/${curator.userName}`}>{curator.name}</a>
            {collection.visibility !== "public" && <span class="pill role">{t.visibility[collection.visibility]}</span>}
          </>
        }
        text={collection.description}
        figures={
          <>
            <Totals all={list.all} />
            <span>
              {t.updated} <Time at={collection.dateUpdated} />
            </span>
          </>
        }
        actions={<Actions data={data} />}
      />
      <SetupFilter data={data} />
      <h2 class="visually-hidden">{useTexts(texts.users.shared).projects}</h2>
      {list.shown.length === 0 && list.page === 1 ? <Nothing data={data} /> : <ProjectsByType list={list} />}
      {hidden > 0 && <p class="muted small">{t.hidden(hidden)}</p>}
    </div>
  );
};

const Actions = ({ data: { collection, list, canEdit, isFeatured } }: { data: CollectionPageData }) => {
  const t = useTexts(texts.collections.collection);
  const { viewer } = useFrame();
  const report = `/report?itemType=user&itemId=${collection.userId}&about=${encodeURIComponent(list.base)}`;
  return (
    <>
      {canEdit && <ButtonLink href={`${list.base}/edit`}>{t.edit}</ButtonLink>}
      {list.all.length > 0 && (
        <ButtonLink kind={canEdit ? "quiet" : undefined} href={`${list.base}/download`} rel="nofollow">
          <Icon name="download" /> {t.download}
        </ButtonLink>
      )}
      {!canEdit && viewer.kind !== "anonymous" && (
        <Form action={`${list.base}/copy`}>
          <Button kind="quiet">
            <Icon name="copy" /> {t.makeCopy}
          </Button>
        </Form>
      )}
      <MoreMenu feed={`${list.base}/feed.atom`} report={canEdit ? undefined : report} id={collection.id} />
      {(isFeatured || collection.visibility === "public") && (
        <StaffCollectionMenu path={list.base} isFeatured={isFeatured} />
      )}
    </>
  );
};

const SetupFilter = ({ data: { list, isFiltered } }: { data: CollectionPageData }) => {
  const t = useTexts(texts.collections.collection);
  const { setupName: words, path } = useFrame();
  if (words === "" || (list.all.length === 0 && !isFiltered)) return null;
  return (
    <p>
      <ButtonLink kind="quiet" small href={isFiltered ? path : `${path}?setup=on`} rel="nofollow">
        <Icon name={isFiltered ? "cross" : "filter"} />
        {isFiltered ? t.unfilter(words) : t.filter(words)}
      </ButtonLink>
    </p>
  );
};

const Nothing = ({ data: { list, isFiltered, canEdit } }: { data: CollectionPageData }) => {
  const t = useTexts(texts.collections.collection);
  const seeAll = { href: list.base, text: t.seeAll };
  if (isFiltered) return <EmptyState title={t.nothingFits} action={seeAll} />;
  if (list.all.length > 0) return <EmptyState title={t.nothingOfType} action={seeAll} />;
  return canEdit ? (
    <EmptyState title={t.emptyOwn} action={{ href: `${list.base}/edit#project`, text: t.add }} />
  ) : (
    <EmptyState title={t.empty} action={{ href: "/projects", text: t.browse }} />
  );
};
