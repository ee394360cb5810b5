// The forecast of the disk: what is used now, how fast it grows, and how long the rest lasts, with the arithmetic.
import {
  type Forecast as Found,
  isBeyond,
  mostDays,
  type StorageState,
} from "#operations/administration/storage-forecast.js";
import { useFormat } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";

interface Props {
  state: StorageState;
  found: Found | undefined;
  /** When the room is used up. */
  until: number;
  reserve: number;
}

export const Forecast = ({ state, found, until, reserve }: Props) => {
  const t = useTexts(texts.operator.forecast);
  const format = useFormat();
  const { databaseBytes, cacheBytes, freeBytes, month, quarter } = state;
  const figures = [
    [t.database, databaseBytes],
    [t.cache, cacheBytes],
    [t.free, freeBytes],
    [t.month, month],
    [t.quarter, quarter],
  ] as const;
  return (
    <section class="stack" id="forecast">
      <h2>{t.title}</h2>
      <dl class="desk-figures">
        {figures.map(([name, bytes]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{bytes === undefined ? "–" : format.bytes(bytes)}</dd>
          </div>
        ))}
      </dl>
      {found ? (
        <>
          <p>
            <b>{isBeyond(found) ? t.long : t.lasts(format.date(until))}</b>
          </p>
          <p class="muted">
            {t.sum(
              format.bytes(freeBytes ?? 0),
              format.bytes(reserve),
              format.bytes(Math.round(found.perDay)),
              isBeyond(found) ? `> ${format.number(mostDays)}` : format.number(found.days),
              found.basis,
            )}
          </p>
        </>
      ) : (
        <p class="muted">{freeBytes === undefined ? t.elsewhere : t.tooLittle}</p>
      )}
    </section>
  );
};
