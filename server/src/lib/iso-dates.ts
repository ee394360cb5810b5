// Reads dates and timestamps as ISO 8601 writes them: calendar, week and ordinal dates in the extended and the basic
// form, also with reduced precision (a year, a month, a week); fractions after a point or a comma; 24:00; leap seconds.

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/**
 * Milliseconds since 1970; undefined if there is no such date. A time without an offset is UTC, a bare date midnight.
 */
export function parseIsoDate(text: string): number | undefined {
  const at = text.search(/T/i);
  const date = parseDate(at === -1 ? text : text.slice(0, at));
  const time = at === -1 ? { ms: 0, isLeapSecond: false } : parseTime(text.slice(at + 1));
  if (date === undefined || time === undefined) return undefined;
  const result = date + time.ms;
  // Leap seconds exist only at the end of a day in UTC; they count as the second that follows.
  const isInLastSecond = ((result % dayMs) + dayMs) % dayMs < 1000;
  return time.isLeapSecond && !isInLastSecond ? undefined : result;
}

/** The day's midnight in UTC. */
function parseDate(text: string): number | undefined {
  const week = /^(\d{4})(?:-W(\d\d)(?:-(\d))?|W(\d\d)(\d)?)$/i.exec(text);
  if (week) return weekDay(Number(week[1]), Number(week[2] ?? week[4]), Number(week[3] ?? week[5] ?? 1));
  const ordinal = /^(\d{4})-?(\d{3})$/.exec(text);
  if (ordinal) return calendarDay(Number(ordinal[1]), undefined, Number(ordinal[2]));
  const calendar = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?|(\d\d)(\d\d))?$/.exec(text);
  if (!calendar) return undefined;
  const [, year, month, day, basicMonth, basicDay] = calendar;
  return calendarDay(Number(year), Number(month ?? basicMonth ?? 1), Number(day ?? basicDay ?? 1));
}

/** Without a month, the day is counted from the beginning of the year. Days that do not exist are undefined. */
function calendarDay(year: number, month: number | undefined, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, (month ?? 1) - 1, day);
  // Date moves a day that does not exist into the next month or year.
  const isReal = day > 0 && date.getUTCFullYear() === year && (month === undefined || date.getUTCMonth() === month - 1);
  return isReal ? date.getTime() : undefined;
}

/** Week 1 is the week of 4 January; weeks begin on Monday. */
function weekDay(year: number, week: number, day: number): number | undefined {
  if (week < 1 || day < 1 || day > 7) return undefined;
  const fourth = calendarDay(year, 1, 4)!;
  const monday = fourth - mondayBased(fourth) * dayMs + (week - 1) * 7 * dayMs;
  // A week belongs to the year of its Thursday: only some years have a week 53.
  return new Date(monday + 3 * dayMs).getUTCFullYear() === year ? monday + (day - 1) * dayMs : undefined;
}

const mondayBased = (time: number): number => (new Date(time).getUTCDay() + 6) % 7;

/** The fraction belongs to the last unit that is given. Time and offset may use different forms. */
const timePattern = /^(\d\d)(?::(\d\d)(?::(\d\d))?|(\d\d)(\d\d)?)?(?:[.,](\d+))?(Z|([+\u2212-])(\d\d)(?::?(\d\d))?)?$/i;

function parseTime(text: string): { ms: number; isLeapSecond: boolean } | undefined {
  const match = timePattern.exec(text);
  if (!match) return undefined;
  const minute = match[2] ?? match[4];
  const second = match[3] ?? match[5];
  const [hours, minutes, seconds] = [Number(match[1]), Number(minute ?? 0), Number(second ?? 0)];
  const [offsetHours, offsetMinutes] = [Number(match[9] ?? 0), Number(match[10] ?? 0)];
  const unit = second !== undefined ? 1000 : minute !== undefined ? minuteMs : hourMs;
  // Nine digits of an hour in milliseconds are still an integer below 2^53.
  const fraction = Math.trunc((Number((match[6] ?? "").slice(0, 9).padEnd(9, "0")) * unit) / 1e9);
  const ms = hours * hourMs + minutes * minuteMs + seconds * 1000 + fraction;
  const isPossible = minutes < 60 && seconds <= 60 && (hours < 24 || ms === dayMs) && ms <= dayMs + 999;
  if (!isPossible || offsetHours > 23 || offsetMinutes > 59) return undefined;
  const offset = (offsetHours * hourMs + offsetMinutes * minuteMs) * (match[8] === "+" ? 1 : -1);
  return { ms: ms - offset, isLeapSecond: seconds === 60 };
}
