// Settings for moderators and administrators: when their powers are in force (platform/http/staff-powers.ts).
import { oneOf, wholeNumber } from "./parsers.js";
import { setting } from "./setting.js";

export const staff = {
  secondFactor: setting("MODSHELF_STAFF_SECOND_FACTOR", oneOf("auto", "always", "off"), {
    default: "auto",
    example: "always",
  }),
  hours: setting("MODSHELF_STAFF_HOURS", wholeNumber([1, 720]), {
    default: "12",
    example: "8",
  }),
  adminMinutes: setting("MODSHELF_STAFF_ADMIN_MINUTES", wholeNumber([5, 43_200]), {
    default: "120",
    example: "30",
  }),
} as const;
