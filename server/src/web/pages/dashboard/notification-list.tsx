// Notifications as a list, grouped by project, each with its actions.

import { mutableTypes } from "#accounts/users/muted-notices.js";
import type { Notification } from "#community/notifications/shapes.js";
import type { VersionEntry } from "#content/versions/entries.js";
import { useFrame } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Form } from "#web/parts/form.js";
import { Icon } from "#web/parts/icon.js";
import { drawnPicture, Picture } from "#web/parts/picture.js";
import { Time } from "#web/parts/time.js";
import { downloadPath } from "#web/shared/version-paths.js";
import { OfferAnswer } from "#web/shared/waiting.js";
import { texts, type textsIn } from "#words/texts.js";
import { InviteButtons } from "./invite-buttons.js";
import { kindNames, type NotificationKind } from "./notification-kinds.js";

export interface NewsItem {
  notification: Notification;
  /** Newest first. */
  versions: readonly VersionEntry[];
}

const action = "/dashboard/notifications";

type Texts = ReturnType<typeof textsIn<(typeof texts.dashboard.overview)["en"]>>;

interface Props {
  news: readonly NewsItem[];
  kind: NotificationKind | undefined;
  page: number;
  hasMore: boolean;
  isHistory: boolean;
  /** The path of this list. */
  path: string;
}

export const NotificationList = ({ news, kind, page, hasMore, isHistory, path }: Props) => {
  const t = useTexts(texts.dashboard.overview);
  const common = useTexts(texts.parts.common);
  const { now, url } = useFrame();
  const pageHref = (number: number) => `${path}?page=${number}${kind ? `&kind=${kind}` : ""}`;
  const groups = [...Map.groupBy(news, ({ notification: { about, id } }) => about?.id ?? id).entries()];
  return (
    <div class="stack" data-swap="news">
      <Filters kind={kind} path={path} isHistory={isHistory} />
      {news.length === 0 ? (
        <EmptyState
          title={isHistory ? t.nothingRead : t.nothingNew}
          action={kind ? { href: path, text: t.allKinds } : { href: "/settings/notifications", text: t.toSettings }}
        >
          <p>{t.nothingNewText}</p>
        </EmptyState>
      ) : (
        <>
          <Form class="actions" action={action} done={t.done}>
            <input type="hidden" name="upTo" value={now} />
            <input type="hidden" name="next" value={url} />
            {isHistory ? (
              <Button kind="quiet" small name="act" value="deleteRead">
                {t.deleteAll}
              </Button>
            ) : (
              <Button kind="quiet" small name="act" value="readAll">
                {t.markAllRead}
              </Button>
            )}
          </Form>
          <ul class="rows">
            {groups.map(([id, items]) => (
              <li key={id} class="card stack">
                <Group items={items} next={url} />
              </li>
            ))}
          </ul>
        </>
      )}
      <p class="actions">
        {page > 1 && (
          <ButtonLink kind="quiet" href={pageHref(page - 1)} rel="prev">
            {common.previous}
          </ButtonLink>
        )}
        {hasMore && (
          <ButtonLink kind="quiet" href={pageHref(page + 1)} rel="next">
            {common.next}
          </ButtonLink>
        )}
      </p>
    </div>
  );
};

const Filters = ({ kind, path, isHistory }: Pick<Props, "kind" | "path" | "isHistory">) => {
  const t = useTexts(texts.dashboard.overview);
  return (
    <>
      <nav class="actions" aria-label={t.kind}>
        <ButtonLink kind="quiet" small href={path} aria-current={kind ? undefined : "true"}>
          {t.allKinds}
        </ButtonLink>
        {kindNames.map((name) => (
          <ButtonLink
            key={name}
            kind="quiet"
            small
            href={`${path}?kind=${name}`}
            aria-current={name === kind ? "true" : undefined}
          >
            {t.kinds[name]}
          </ButtonLink>
        ))}
      </nav>
      <p class="actions small">
        {isHistory ? <a href={action}>{t.toNew}</a> : <a href={`${action}/history`}>{t.toHistory}</a>}
        <a href="/settings/notifications">{t.toSettings}</a>
      </p>
    </>
  );
};

const Group = ({ items, next }: { items: readonly NewsItem[]; next: string }) => {
  const about = items[0]?.notification.about;
  return (
    <>
      {about && (
        <h2 class="row">
          <Picture src={about.icon ?? drawnPicture(about.kind, about.id)} size={24} />
          <a href={`/${about.kind}/${about.slug}`} dir="auto">
            {about.name}
          </a>
        </h2>
      )}
      {items.map((item) => (
        <NewsRow key={item.notification.id} {...item} next={next} />
      ))}
    </>
  );
};

/** The page with more about the notification. */
function targetOf({ type, about, body }: Notification): string | undefined {
  const page = about ? `/${about.kind}/${about.slug}` : undefined;
  if (typeof body.reportId === "string") return `/dashboard/report/${body.reportId}`;
  if (type === "token_expiring") return "/settings/pats";
  if (type === "team_invite" || type === "organization_invite")
    return about?.kind === "organization" ? page : undefined;
  if (!page) return undefined;
  if (type.startsWith("ownership_")) return `${page}/settings/members`;
  if (about?.kind === "project" && ["status_change", "thread_message", "version_quarantined"].includes(type))
    return `${page}/moderation`;
  const [versionId] = Array.isArray(body.versionIds) ? body.versionIds : [];
  return type === "version_withdrawn" && versionId ? `${page}/version/${versionId}` : page;
}

/** The button against further notifications of this kind: its value and its words. */
function muteButton(type: string, { author }: Notification["body"], t: Texts): readonly [string, string] {
  if (type === "project_published") return ["unfollow", t.unfollowAuthor(typeof author === "string" ? author : "")];
  return ["mute", type === "version_published" ? t.muteProject : t.muteInvites];
}

const NewsRow = ({ notification, versions, next }: NewsItem & { next: string }) => {
  const t = useTexts(texts.dashboard.overview);
  const common = useTexts(texts.parts.common);
  const { id, type, read, body, text, about, dateCreated } = notification;
  const target = targetOf(notification);
  const teamId = typeof body.teamId === "string" && !read ? body.teamId : undefined;
  const isMutable = !read && mutableTypes.some((each) => each === type);
  const buttons = [
    ...(read ? [] : [["read", t.markRead]]),
    ...(isMutable ? [muteButton(type, body, t)] : []),
    ["delete", common.delete],
  ] as const;
  return (
    <div class={read ? "stack row-read" : "stack"}>
      <p>
        {!read && <span class="pill release">{t.new}</span>} {target ? <a href={target}>{text}</a> : text}{" "}
        <span class="muted small">
          <Time at={dateCreated} />
        </span>
      </p>
      {typeof body.reason === "string" && body.reason !== "" && type === "version_withdrawn" && (
        <p class="muted" dir="auto">
          {body.reason}
        </p>
      )}
      {about?.kind === "project" && versions.length > 0 && (
        <p class="actions">
          {versions.map((version) => (
            <ButtonLink key={version.id} kind="quiet" small href={downloadPath(about.slug, version)}>
              <Icon name="download" /> {t.download(version.versionNumber)}
            </ButtonLink>
          ))}
        </p>
      )}
      <div class="actions">
        {teamId !== undefined && type.endsWith("_invite") && (
          <InviteButtons teamId={teamId} name={about?.name ?? text} />
        )}
        {teamId !== undefined && type === "ownership_offer" && (
          <OfferAnswer teamId={teamId} name={about?.name ?? text} next={action} />
        )}
        <Form class="actions" action={action} done={t.done}>
          <input type="hidden" name="id" value={id} />
          <input type="hidden" name="next" value={next} />
          {buttons.map(([act, words]) => (
            <Button key={act} kind="quiet" small name="act" value={act} aria-label={`${words}: ${text}`}>
              {words}
            </Button>
          ))}
        </Form>
      </div>
    </div>
  );
};
