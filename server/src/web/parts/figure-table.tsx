// Tables of figures: each row has a name and numbers.
import type { Children } from "#lib/jsx-runtime.js";
import { useFormat } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";
import { nameDays } from "./bar-chart.js";
import type { Bucket } from "./buckets.js";

export interface FigureRow {
  key: string;
  name: Children;
  /** Numbers, or texts such as a share. */
  figures: readonly (number | string)[];
}

interface Props {
  caption?: string | undefined;
  /** The name of each column. */
  head?: readonly string[] | undefined;
  rows: readonly FigureRow[];
  /** Below the others. */
  total?: FigureRow | undefined;
}

export const FigureTable = ({ caption, head, rows, total }: Props) => (
  <table class="figures-table">
    {caption && <caption>{caption}</caption>}
    {head && (
      <thead>
        <tr>
          {head.map((name, at) => (
            <th key={name} scope="col" class={at === 0 ? undefined : "number"}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
    )}
    <tbody>
      {rows.map((row) => (
        <Row key={row.key} row={row} />
      ))}
    </tbody>
    {total && (
      <tfoot>
        <Row row={total} />
      </tfoot>
    )}
  </table>
);

const Row = ({ row: { name, figures } }: { row: FigureRow }) => {
  const format = useFormat();
  return (
    <tr>
      <th scope="row">{name}</th>
      {figures.map((figure, at) => (
        <td key={at} class="number">
          {typeof figure === "number" ? format.number(figure) : figure}
        </td>
      ))}
    </tr>
  );
};

interface DayProps {
  downloads: readonly Bucket[];
  /** As many as downloads, of the same days. */
  views?: readonly Bucket[];
  today: number;
}

/** The figures of a chart, the newest first, for users who do not see the chart. */
export const DayTable = ({ downloads, views, today }: DayProps) => {
  const t = useTexts(texts.parts.traffic);
  const format = useFormat();
  const rows = downloads.map((bucket, at) => ({
    key: String(bucket.first),
    name: nameDays(bucket, today, t, format),
    figures: [...(views ? [views[at]!.count] : []), bucket.count],
  }));
  return <FigureTable head={[t.date, ...(views ? [t.views] : []), t.downloads]} rows={rows.reverse()} />;
};
