// Charts, drawn by the server without a library: downloads as bars, and views as a line above them. A script shows the
// values under the pointer; a table below has the same figures for users who do not see the chart. Texts are outside of
// the drawing, which is stretched to the width of the page.
import { startOfDay } from "#lib/days.js";
import { scriptPath } from "#web/assets/assets.js";
import type { Format } from "#web/context/format.js";
import { useFormat } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import type { Words } from "#words/en/catalogue.js";
import { texts } from "#words/texts.js";
import { type Bucket, roundAbove } from "./buckets.js";

interface Props {
  buckets: readonly Bucket[];
  /** As many as buckets, of the same days. */
  views?: readonly Bucket[];
  /** The current day: its figures are incomplete, and look like it. */
  today: number;
  title: string;
  description: string;
}

const width = 800;
const height = 200;

export const BarChart = ({ buckets, views = [], today, title, description }: Props) => {
  const format = useFormat();
  const t = useTexts(texts.parts.traffic);
  const top = roundAbove(Math.max(...[...buckets, ...views].map(({ count }) => count)));
  const room = width / buckets.length;
  const gap = Math.min(2, room / 4);
  const heightOf = (count: number) => round((count / top) * height);
  const isOpen = (bucket: Bucket | undefined) => bucket?.last === today;
  const day = (number: number) => format.date(startOfDay(number));
  const last = buckets.at(-1)!;
  return (
    <figure class="chart">
      <div class="chart-scale small muted" aria-hidden="true">
        <span>{format.count(top)}</span>
        <span>{format.count(top / 2)}</span>
        <span>0</span>
      </div>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-labelledby="chart-title chart-text"
      >
        <title id="chart-title">{title}</title>
        <desc id="chart-text">{description}</desc>
        {[0, 0.5, 1].map((part) => (
          <line key={part} class="grid" x1="0" x2={width} y1={part * height} y2={part * height} />
        ))}
        {buckets.map((bucket, at) => {
          const tall = heightOf(bucket.count);
          const value = views[at]
            ? `${t.views} ${format.number(views[at].count)}, ${t.downloads} ${format.number(bucket.count)}`
            : format.number(bucket.count);
          return (
            <rect
              key={bucket.first}
              class={isOpen(bucket) ? "bar open" : "bar"}
              x={round(at * room)}
              y={round(height - tall)}
              width={round(room - gap)}
              height={tall}
            >
              <title>{`${nameDays(bucket, today, t, format)}: ${value}`}</title>
            </rect>
          );
        })}
        {views.length > 0 && <path class="line" d={stepsOf(views, room, heightOf, (bucket) => !isOpen(bucket))} />}
        {isOpen(views.at(-1)) && <path class="line open" d={stepsOf(views, room, heightOf, isOpen)} />}
        <line class="cross" y1="0" y2={height} />
      </svg>
      <div class="chart-ends small muted" aria-hidden="true">
        <span>{buckets.length > 1 && day(buckets[0]!.first)}</span>
        <span>{isOpen(last) && last.first === today ? t.today : day(last.last)}</span>
      </div>
      {views.length > 0 && (
        <p class="chart-legend small muted">
          <span class="line-key">{t.views}</span> <span class="bar-key">{t.downloads}</span>
          {isOpen(last) && <span class="open-key">{t.soFar}</span>}
        </p>
      )}
      <output class="chart-value small needs-script" />
      <script type="module" src={scriptPath("chart")} />
    </figure>
  );
};

/** A horizontal line over each of the chosen bars, which follow each other, with vertical ones between them. */
function stepsOf(
  views: readonly Bucket[],
  room: number,
  heightOf: (count: number) => number,
  isChosen: (bucket: Bucket) => boolean,
): string {
  const steps = views.flatMap((bucket, at) =>
    isChosen(bucket) ? [`${round(at * room)},${round(height - heightOf(bucket.count))}H${round((at + 1) * room)}`] : [],
  );
  return steps.length === 0 ? "" : `M${steps.join("L")}`;
}

/** The days of a bar, and whether they are over. */
export function nameDays(
  { first, last }: Pick<Bucket, "first" | "last">,
  today: number,
  t: Words["parts"]["traffic"],
  format: Format,
): string {
  const day = (number: number) => format.date(startOfDay(number));
  if (first === today) return t.todaySoFar(day(today));
  const days = first === last ? day(first) : `${day(first)} – ${day(last)}`;
  return last === today ? t.daysSoFar(days) : days;
}

const round = (value: number): number => Math.round(value * 100) / 100;
