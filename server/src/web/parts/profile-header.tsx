// The top of a page about a user, an organization or a collection: picture, name, text, figures and actions.
import type { Children } from "#lib/jsx-runtime.js";
import { Picture } from "./picture.js";

interface Props {
  picture: string | null;
  round?: boolean;
  name: string;
  /** Shown beside the name, smaller. */
  handle?: Children;
  text: string | null;
  figures: Children;
  actions?: Children;
}

export const ProfileHeader = ({ picture, round = false, name, handle, text, figures, actions }: Props) => (
  <header class="profile">
    {picture !== null && <Picture src={picture} size={96} round={round} isFirst />}
    <div class="profile-text">
      <h1 dir="auto">{name}</h1>
      {handle && <p class="muted">{handle}</p>}
      {text && (
        <p dir="auto" class="profile-bio">
          {text}
        </p>
      )}
      <p class="profile-figures" data-swap="figures">
        {figures}
      </p>
    </div>
    {actions && <div class="actions profile-actions">{actions}</div>}
  </header>
);
