// Users and organizations whose name is exactly the search text.

import { findProfile, toUser } from "#accounts/users/read.js";
import { getOrg } from "#content/organizations/read.js";
import { Failure } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import { pictureUrl } from "#platform/pictures/read.js";

export interface Found {
  kind: "user" | "organization";
  name: string;
  href: string;
  picture: string;
}

/** The form of usernames and slugs; other texts match none. */
const nameLike = /^[\w.+-]{2,64}$/;

export async function findPeople({ db, config }: Resources, text: string): Promise<Found[]> {
  if (!nameLike.test(text)) return [];
  const { cdnUrl } = config.http;
  const user = await findProfile(db, text);
  const org = await getOrg(db, text).catch((error) => {
    if (error instanceof Failure) return undefined;
    throw error;
  });
  return [
    ...(user ? [toFoundUser(toUser(user, cdnUrl))] : []),
    ...(org
      ? [
          {
            kind: "organization" as const,
            name: org.name,
            href: `/organization/${org.slug}`,
            picture: pictureUrl(cdnUrl, "organization", org.id, null),
          },
        ]
      : []),
  ];
}

const toFoundUser = ({ userName, avatar }: { userName: string; avatar: string }): Found => ({
  kind: "user",
  name: userName,
  href: `/user/${userName}`,
  picture: avatar,
});
