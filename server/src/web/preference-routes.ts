// Theme, language and set-up: kept for guests and users alike, then back to where they were.
import Type from "typebox";
import { open } from "../http/access.js";
import type { Route } from "../http/endpoint.js";
import type { Resources } from "../http/resources.js";
import { getTaxonomy } from "../taxonomy/read.js";
import { isLocale } from "./locale.js";
import { formRoute } from "./page.js";
import { safeNext, seeOther } from "./paths.js";
import { keepPreferences, type Theme } from "./preferences.js";

const word = Type.Optional(Type.String({ maxLength: 64 }));
const next = Type.Optional(Type.String({ maxLength: 2000 }));

const isSecure = ({ config }: Resources): { secure: boolean } => ({ secure: config.http.url.startsWith("https:") });

const toTheme = (text: string): Theme => (text === "light" || text === "dark" ? text : undefined);

export const preferenceRoutes: Route[] = [
  formRoute(
    {
      id: "submitDisplay",
      path: "/settings/display",
      access: open,
      summary: "Choose theme and language",
      body: Type.Object({ theme: word, lang: word, next }),
    },
    async ({ body, reply }, resources) => {
      const { theme, lang } = body;
      keepPreferences(
        reply,
        { ...(theme !== undefined && { theme: toTheme(theme) }), ...(isLocale(lang) && { locale: lang }) },
        isSecure(resources),
      );
      return seeOther(reply, safeNext(body.next));
    },
  ),

  formRoute(
    {
      id: "submitSetupChoice",
      path: "/settings/setup",
      access: open,
      summary: "Choose the game version and loader that results are fitted to, or forget them",
      body: Type.Object({ gameVersion: word, loader: word, next }),
    },
    async ({ body, reply }, resources) => {
      const taxonomy = await getTaxonomy(resources);
      const { gameVersion = "", loader = "" } = body;
      const setup = {
        gameVersion: taxonomy.isGameVersion(gameVersion) ? gameVersion : "",
        loader: taxonomy.isLoader(loader) ? loader : "",
      };
      keepPreferences(reply, { setup }, isSecure(resources));
      return seeOther(reply, safeNext(body.next));
    },
  ),
];
