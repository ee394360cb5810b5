// Requests that failed with a server error, with their ids in the log.

import type { RecentError } from "#platform/http/recent-errors.js";
import { useTexts } from "#web/context/texts.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";

export const RecentErrors = ({ errors }: { errors: readonly RecentError[] }) => {
  const t = useTexts(texts.admin.overview);
  if (errors.length === 0) return <p class="muted">{t.noTroubles}</p>;
  return (
    <div class="desk-table">
      <table>
        <thead>
          <tr>
            <th>{t.requestId}</th>
            <th>{t.when}</th>
            <th>{t.route}</th>
            <th>{t.detail}</th>
          </tr>
        </thead>
        <tbody>
          {errors.map(({ requestId, at, route, reason }) => (
            <tr key={requestId}>
              <th scope="row">
                <code>{requestId}</code>
              </th>
              <td data-label={t.when}>
                <Time at={at} />
              </td>
              <td data-label={t.route}>
                <code>{route}</code>
              </td>
              <td data-label={t.detail} dir="auto">
                {reason}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
