// Notifications as a list, each with what can be done about it.
import type { VersionEntry } from "../../../catalog/version-entries.js";
import type { Notification } from "../../../notifications/shapes.js";
import { useFrame } from "../../frame.js";
import { commonTexts } from "../../parts/common-texts.js";
import { EmptyState } from "../../parts/empty-state.js";
import { Icon } from "../../parts/icon.js";
import { Time } from "../../parts/time.js";
import { useTexts } from "../../texts.js";
import { downloadPath } from "../project/version-rows.js";
import { dashboardTexts } from "./dashboard-texts.js";
import { InviteButtons } from "./invite-buttons.js";
import { sentenceIn } from "./sentences.js";

export interface NewsItem {
  notification: Notification;
  /** Newest first. */
  versions: readonly VersionEntry[];
}

const path = "/dashboard/notifications";

interface Props {
  news: readonly NewsItem[];
  isUnread: boolean;
  page: number;
  hasMore: boolean;
}

export const NotificationList = ({ news, isUnread, page, hasMore }: Props) => {
  const t = useTexts(dashboardTexts);
  const common = useTexts(commonTexts);
  const { now } = useFrame();
  const pageHref = (number: number) => `${path}?page=${number}${isUnread ? "&show=unread" : ""}`;
  return (
    <>
      <p class="actions">
        <a class="button quiet small" href={path} aria-current={isUnread ? undefined : "true"}>
          {t.all}
        </a>
        <a class="button quiet small" href={`${path}?show=unread`} aria-current={isUnread ? "true" : undefined}>
          {t.unreadOnly}
        </a>
        <a href="/settings/notifications">{t.toSettings}</a>
      </p>
      {news.length === 0 ? (
        <EmptyState title={t.nothingNew} action={{ href: "/projects", text: t.browse }}>
          <p>{t.nothingNewText}</p>
        </EmptyState>
      ) : (
        <>
          <form class="actions" method="post" action={path}>
            <input type="hidden" name="upTo" value={now} />
            <button class="button quiet small" type="submit" name="act" value="readAll">
              {t.markAllRead}
            </button>
            <button class="button quiet small" type="submit" name="act" value="deleteRead">
              {t.deleteAll}
            </button>
          </form>
          <ul class="rows">
            {news.map((item) => (
              <NewsRow key={item.notification.id} {...item} />
            ))}
          </ul>
        </>
      )}
      <p class="actions">
        {page > 1 && (
          <a class="button quiet" href={pageHref(page - 1)} rel="prev">
            {common.previous}
          </a>
        )}
        {hasMore && (
          <a class="button quiet" href={pageHref(page + 1)} rel="next">
            {common.next}
          </a>
        )}
      </p>
    </>
  );
};

/** Where the reader goes to see more of it. */
function targetOf({ type, about, body }: Notification): string | undefined {
  const page = about ? `/${about.kind}/${about.slug}` : undefined;
  if (typeof body.reportId === "string") return `/dashboard/report/${body.reportId}`;
  if (type === "team_invite" || type === "organization_invite")
    return about?.kind === "organization" ? page : undefined;
  if (about?.kind === "project" && ["status_change", "thread_message", "version_quarantined"].includes(type))
    return `${page}/moderation`;
  return page;
}

const NewsRow = ({ notification, versions }: NewsItem) => {
  const t = useTexts(dashboardTexts);
  const common = useTexts(commonTexts);
  const { locale } = useFrame();
  const { id, type, read, body, about, dateCreated } = notification;
  const target = targetOf(notification);
  const text = sentenceIn(locale, notification);
  const teamId = typeof body.teamId === "string" && type.endsWith("_invite") ? body.teamId : undefined;
  return (
    <li class={read ? "card stack read" : "card stack"}>
      <p dir="auto">
        {!read && <span class="pill release">{t.new}</span>} {target ? <a href={target}>{text}</a> : text}{" "}
        <span class="muted small">
          <Time at={dateCreated} />
        </span>
      </p>
      {about?.kind === "project" && versions.length > 0 && (
        <p class="actions">
          {versions.map((version) => (
            <a key={version.id} class="button quiet small" href={downloadPath(about.slug, version)}>
              <Icon name="download" /> {t.download(version.versionNumber)}
            </a>
          ))}
        </p>
      )}
      {teamId !== undefined && <InviteButtons teamId={teamId} name={about?.name ?? text} />}
      <form class="actions" method="post" action={path}>
        <input type="hidden" name="id" value={id} />
        {!read && (
          <button
            class="button quiet small"
            type="submit"
            name="act"
            value="read"
            aria-label={`${t.markRead}: ${text}`}
          >
            {t.markRead}
          </button>
        )}
        <button
          class="button quiet small"
          type="submit"
          name="act"
          value="delete"
          aria-label={`${common.delete}: ${text}`}
        >
          {common.delete}
        </button>
      </form>
    </li>
  );
};
