// Derives the names of browser and system from a User-Agent, for the list of sessions. The text only helps users
// recognize their own device; no decision depends on it.

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\/|\bOpera\b/, "Opera"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bChrome\/|\bCriOS\/|\bChromium\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/^curl\//, "curl"],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, "Android"],
  [/\b(?:iPhone|iPad|iPod)\b/, "iOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

const firstMatch = (table: typeof browsers, text: string): string | null =>
  table.find(([form]) => form.test(text))?.[1] ?? null;

export const browserOf = (userAgent: string | null): string | null =>
  userAgent ? firstMatch(browsers, userAgent) : null;
export const systemOf = (userAgent: string | null): string | null =>
  userAgent ? firstMatch(systems, userAgent) : null;
