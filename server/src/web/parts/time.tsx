// A time: relative in the text, exact on hover and for programs.
import { timestamp } from "#platform/http/schemas.js";
import { useFormat } from "#web/context/frame.js";

/** `at`: milliseconds, or an ISO date as in API answers. */
export const Time = ({ at, exact = false }: { at: number | string; exact?: boolean }) => {
  const format = useFormat();
  const [time, text] = typeof at === "number" ? [at, timestamp(at)] : [Date.parse(at), at];
  return (
    <time datetime={text} title={format.dateTime(time)} data-ago={exact ? undefined : ""}>
      {exact ? format.date(time) : format.ago(time)}
    </time>
  );
};
