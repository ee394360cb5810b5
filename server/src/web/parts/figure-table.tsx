// The figures of a chart as a table, the newest first, for users who do not see the chart.
import { useFormat } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";
import { nameDays } from "./bar-chart.js";
import type { Bucket } from "./buckets.js";

interface Props {
  downloads: readonly Bucket[];
  /** As many as downloads, of the same days. */
  views?: readonly Bucket[];
  today: number;
}

export const FigureTable = ({ downloads, views, today }: Props) => {
  const t = useTexts(texts.parts.traffic);
  const format = useFormat();
  const rows = downloads.map((bucket, at) => ({ ...bucket, views: views?.[at]?.count })).reverse();
  return (
    <table class="figures-table">
      <thead>
        <tr>
          <th scope="col">{t.date}</th>
          {views && (
            <th scope="col" class="number">
              {t.views}
            </th>
          )}
          <th scope="col" class="number">
            {t.downloads}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.first}>
            <th scope="row">{nameDays(row, today, t, format)}</th>
            {row.views !== undefined && <td class="number">{format.number(row.views)}</td>}
            <td class="number">{format.number(row.count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
