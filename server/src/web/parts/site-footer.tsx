// The bottom of every page; help stands at the same place everywhere.
import { version } from "../../lib/version.js";

export const SiteFooter = () => (
  <footer class="site-footer">
    <div class="wrap">
      <p>Modshelf {version}</p>
      <a href="/api/docs">API reference</a>
      <a href="/api/docs/openapi.json">OpenAPI document</a>
    </div>
  </footer>
);
