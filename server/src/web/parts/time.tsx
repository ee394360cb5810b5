// A moment: how long ago in words, exactly on hover and for machines.
import { timestamp } from "#platform/http/schemas.js";
import { useFormat } from "#web/context/frame.js";

/** `at`: milliseconds, or an ISO date as answers of the API have it. */
export const Time = ({ at, exact = false }: { at: number | string; exact?: boolean }) => {
  const format = useFormat();
  const time = typeof at === "number" ? at : Date.parse(at);
  return (
    <time dateTime={timestamp(time)} title={format.dateTime(time)} data-ago={exact ? undefined : ""}>
      {exact ? format.date(time) : format.ago(time)}
    </time>
  );
};
