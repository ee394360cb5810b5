// Bars drawn by the server: no library, and no script but the one that says the value under the pointer. The same figures stand in a table below, so that nothing is lost to
// those who do not see it. Words are outside of the drawing, which is stretched to the width of the page.
import { startOfDay } from "#lib/days.js";
import { scriptPath } from "#web/assets/assets.js";
import { useFormat } from "#web/context/frame.js";
import { type Bucket, roundAbove } from "./buckets.js";

interface Props {
  buckets: readonly Bucket[];
  title: string;
  description: string;
}

const width = 800;
const height = 200;

export const BarChart = ({ buckets, title, description }: Props) => {
  const format = useFormat();
  const top = roundAbove(Math.max(...buckets.map(({ count }) => count)));
  const room = width / buckets.length;
  const gap = Math.min(2, room / 4);
  const day = (number: number) => format.date(startOfDay(number));
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
        {buckets.map(({ first, last, count }, at) => {
          const tall = (count / top) * height;
          return (
            <rect
              key={first}
              class="bar"
              x={round(at * room)}
              y={round(height - tall)}
              width={round(room - gap)}
              height={round(tall)}
            >
              <title>{`${first === last ? day(first) : `${day(first)} – ${day(last)}`}: ${format.number(count)}`}</title>
            </rect>
          );
        })}
        <line class="cross" y1="0" y2={height} />
      </svg>
      <div class="chart-ends small muted" aria-hidden="true">
        <span>{day(buckets[0]!.first)}</span>
        <span>{day(buckets.at(-1)!.last)}</span>
      </div>
      <output class="chart-value small needs-script" />
      <script type="module" src={scriptPath("chart")} />
    </figure>
  );
};

const round = (value: number): number => Math.round(value * 100) / 100;
