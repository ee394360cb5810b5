// Theme, density, language, views of lists and set-up: stored for guests and users, followed by a redirect back.
import Type from "typebox";
import { setLocale } from "#accounts/users/write.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import { write } from "#platform/changes/write.js";
import { open } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { anyTexts, listOf } from "#web/context/form.js";
import { safeNext, seeOther } from "#web/context/paths.js";
import {
  densities,
  mostLoaders,
  type Preferences,
  setPreferenceCookies,
  type Theme,
  views,
  viewsOf,
} from "#web/context/preferences.js";
import { formRoute } from "#web/frame/page.js";
import { isLocale } from "#words/languages.js";

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
      summary: "Choose theme, density and language",
      body: Type.Object({ theme: word, density: word, lang: word, next }),
    },
    async ({ body, reply, viewer, actor }, resources) => {
      const { theme, lang } = body;
      if (viewer.kind === "session" && isLocale(lang) && lang !== viewer.user.locale)
        await write(resources, actor, (tx) => setLocale(tx, viewer.user.id, lang));
      const density = densities.find((name) => name === body.density);
      const preferences: Preferences = {
        ...(theme !== undefined && { theme: toTheme(theme) }),
        ...(isLocale(lang) && { locale: lang }),
        ...(density && { density }),
      };
      setPreferenceCookies(reply, preferences, isSecure(resources));
      return seeOther(reply, safeNext(body.next));
    },
  ),

  formRoute(
    {
      id: "submitView",
      path: "/settings/view",
      access: open,
      summary: "Choose the view of lists of a project type",
      body: Type.Object({ view: word, type: word, next }),
    },
    async ({ body, request, reply }, resources) => {
      const { type = "" } = body;
      const view = views.find((name) => name === body.view);
      const isList = type === "" || (await getTaxonomy(resources)).isProjectType(type);
      if (view && isList)
        setPreferenceCookies(reply, { views: new Map([...viewsOf(request), [type, view]]) }, isSecure(resources));
      return seeOther(reply, safeNext(body.next));
    },
  ),

  formRoute(
    {
      id: "submitSetupChoice",
      path: "/settings/setup",
      access: open,
      summary: "Choose the game version and loaders that results are filtered by, or clear them",
      body: Type.Object({ gameVersion: word, loader: anyTexts, next }),
    },
    async ({ body, reply }, resources) => {
      const taxonomy = await getTaxonomy(resources);
      const { gameVersion = "", loader } = body;
      const setup = {
        gameVersion: taxonomy.isGameVersion(gameVersion) ? gameVersion : "",
        loaders: [...new Set(listOf(loader))].filter(taxonomy.isLoader).slice(0, mostLoaders),
      };
      setPreferenceCookies(reply, { setup }, isSecure(resources));
      return seeOther(reply, safeNext(body.next));
    },
  ),
];
