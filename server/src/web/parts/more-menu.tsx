// The menu at the top of the page of a user, an organization or a collection, with what few visitors need.
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";
import { CopyButton } from "./copy-button.js";
import { Icon } from "./icon.js";

interface Props {
  feed: string;
  /** The page on which it is reported; undefined if the visitor has no reason to. */
  report: string | undefined;
  id: string;
}

export const MoreMenu = ({ feed, report, id }: Props) => {
  const t = useTexts(texts.users.shared);
  return (
    <details class="menu">
      <summary class="button quiet">
        <Icon name="more" /> {t.more}
      </summary>
      <ul>
        <li>
          <a href={feed}>{t.feed}</a>
        </li>
        {report !== undefined && (
          <li>
            <a href={report} rel="nofollow">
              {t.report}
            </a>
          </li>
        )}
        <li>
          <CopyButton text={id} label={t.copyId} />
        </li>
      </ul>
    </details>
  );
};
