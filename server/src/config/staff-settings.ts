// Settings about moderators and administrators: when their powers are in force (platform/http/staff-powers.ts).
import { oneOf, wholeNumber } from "./parsers.js";
import { setting } from "./setting.js";

export const staff = {
  secondFactor: setting("MODSHELF_STAFF_SECOND_FACTOR", oneOf("auto", "always", "off"), {
    description:
      "Whether moderators and administrators must confirm their identity with a second factor (an authenticator app or a passkey) before they can use their powers. `auto`: those who have one must. `always`: all must, and have no powers until they set one up. `off`: the password is enough.",
    default: "auto",
    example: "always",
  }),
  hours: setting("MODSHELF_STAFF_HOURS", wholeNumber([1, 720]), {
    description:
      "How many hours the powers of moderators and administrators last at most after they signed in or confirmed their identity. They end earlier when the session is not used for 2 hours.",
    default: "12",
    example: "8",
  }),
  adminMinutes: setting("MODSHELF_STAFF_ADMIN_MINUTES", wholeNumber([5, 43_200]), {
    description:
      "How many minutes the powers of administrators last after they signed in or confirmed their identity; after that they have those of moderators.",
    default: "120",
    example: "30",
  }),
} as const;
