// Following a user or an organization: the button and the figure on their pages, and the route of the form.
import Type from "typebox";
import { type Author, followAuthor, isFollowed, unfollowAuthor } from "#community/follows/authors.js";
import type { Actor } from "#platform/changes/write.js";
import { write } from "#platform/changes/write.js";
import type { Db } from "#platform/db/tables.js";
import type { Resources } from "#platform/http/resources.js";
import type { SignedIn, Viewer } from "#platform/http/viewer.js";
import { formFields } from "#web/context/form.js";
import { useFormat, useFrame } from "#web/context/frame.js";
import { safeNext, signInPath } from "#web/context/paths.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { Icon } from "#web/parts/icon.js";
import { ToggleFaces } from "#web/parts/toggle.js";
import { texts } from "#words/texts.js";

/** The followers of the subject of a page. */
export interface Following {
  followers: number;
  /** Whether the visitor follows. */
  isFollowed: boolean;
}

export const findFollowing = async (db: Db, viewer: Viewer, author: Author, followers: number): Promise<Following> => ({
  followers,
  isFollowed: viewer.kind !== "anonymous" && (await isFollowed(db, viewer.user.id, author)),
});

interface ButtonProps {
  /** The page of the author. */
  path: string;
  name: string;
  following: Following;
}

export const FollowAuthorButton = ({ path, name, following: { isFollowed: isOn } }: ButtonProps) => {
  const t = useTexts(texts.project.page);
  const { done } = useTexts(texts.project.follow);
  const { viewer, url } = useFrame();
  const off = { icon: "heart", text: t.follow } as const;
  const on = { icon: "check", text: t.unfollow } as const;
  if (viewer.kind === "anonymous")
    return (
      <ButtonLink kind="quiet" href={signInPath(path)} rel="nofollow">
        <Icon name="heart" /> {t.follow}
      </ButtonLink>
    );
  return (
    <Form
      action={`${path}/follow`}
      data-swap="follow"
      fields={{ next: url }}
      done={isOn ? done.unfollow(name) : done.followAuthor(name)}
    >
      <Button kind="quiet" name="act" value={isOn ? "unfollow" : "follow"}>
        <ToggleFaces now={isOn ? on : off} then={isOn ? off : on} />
      </Button>
    </Form>
  );
};

export const Followers = ({ following: { followers } }: { following: Following }) => {
  const t = useTexts(texts.parts.common);
  const format = useFormat();
  return <span title={format.number(followers)}>{t.followers(format.count(followers))}</span>;
};

export const followAuthorBody = Type.Object(formFields("act", "next").properties);

interface Submission {
  viewer: SignedIn;
  actor: Actor;
  body: { act?: string; next?: string };
}

/** Returns the page to go to. */
export async function submitFollowAuthor(
  resources: Resources,
  { viewer, actor, body }: Submission,
  author: Author,
  path: string,
): Promise<string> {
  await write(resources, actor, (tx) =>
    body.act === "unfollow" ? unfollowAuthor(tx, viewer.user.id, author) : followAuthor(tx, viewer, author),
  );
  return safeNext(body.next, path);
}
