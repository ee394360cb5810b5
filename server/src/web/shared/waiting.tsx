// What waits in a team for a second person's word, as the pages of its members show it.

import { findOffer, type Offer } from "#content/members/offers.js";
import type { Member } from "#content/members/shapes.js";
import { listMailInvites, type MailInvite } from "#content/teams/mail-invites.js";
import type { Resources } from "#platform/http/resources.js";
import { useFormat, useFrame } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { AnswerButtons } from "#web/parts/answer-buttons.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { Notice } from "#web/parts/notice.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";

export interface Waiting {
  teamId: string;
  offer: Offer | undefined;
  mailed: readonly MailInvite[];
  /** Whether invitations to addresses can be sent at all. */
  hasMail: boolean;
  /** The page on which it is shown, to come back to. */
  place: string;
}

export const loadWaiting = async (
  { db, clock, mailer }: Resources,
  teamId: string,
  place: string,
): Promise<Waiting> => ({
  teamId,
  place,
  offer: await findOffer(db, teamId, clock.now()),
  mailed: await listMailInvites(db, teamId, clock.now()),
  hasMail: mailer.enabled,
});

interface OfferProps {
  waiting: Waiting;
  /** Of what the team is. */
  name: string;
  members: readonly Member[];
  canWithdraw: boolean;
}

/** To both: to the one who gives, and to the one who is asked. Others in the team learn of it when it is done. */
export const OfferNotice = ({ waiting: { offer, teamId, place }, name, members, canWithdraw }: OfferProps) => {
  const t = useTexts(texts.teams.waiting);
  const format = useFormat();
  const { viewer } = useFrame();
  if (!offer || viewer.kind === "anonymous") return null;
  const ends = format.date(offer.date_expires);
  const giver = members.find(({ userId }) => userId === offer.offered_by)?.userName ?? "";
  if (offer.user_id === viewer.user.id)
    return (
      <Notice title={t.offeredToYou(name)}>
        <p>{t.offeredToYouText(giver, ends)}</p>
        <OfferAnswer teamId={teamId} name={name} next={place} />
      </Notice>
    );
  if (!canWithdraw) return null;
  return (
    <Notice
      title={offer.offered_by === viewer.user.id ? t.offered(offer.user_name) : t.offeredBy(giver, offer.user_name)}
    >
      <p>{t.offeredUntil(ends)}</p>
      <Form class="actions" action="/dashboard/offer" fields={{ teamId, next: place }}>
        <Button kind="quiet" small name="answer" value="withdraw">
          {t.withdraw}
        </Button>
      </Form>
    </Notice>
  );
};

export const OfferAnswer = ({ teamId, name, next }: { teamId: string; name: string; next: string }) => {
  const { take, decline } = useTexts(texts.teams.waiting);
  return (
    <Form class="actions" action="/dashboard/offer" fields={{ teamId, next }}>
      <AnswerButtons name={name} accept={take} decline={decline} />
    </Form>
  );
};

/** For those who may invite. */
export const MailedInvites = ({ waiting: { mailed, teamId, place } }: { waiting: Waiting }) => {
  const t = useTexts(texts.teams.waiting);
  if (mailed.length === 0) return null;
  return (
    <section class="stack">
      <h2>{t.mailed}</h2>
      <ul class="rows">
        {mailed.map(({ id, email, role, date_created }) => (
          <li key={id} class="card row">
            <div class="grow">
              <p>
                <strong>{email}</strong>
              </p>
              <p class="small muted" dir="auto">
                {role && `${role} · `}
                {t.mailedAt} <Time at={date_created} />
              </p>
            </div>
            <Form class="actions" action="/dashboard/mail-invitation" fields={{ teamId, inviteId: id, next: place }}>
              <Button kind="quiet" small aria-label={`${t.withdrawInvite}: ${email}`}>
                {t.withdrawInvite}
              </Button>
            </Form>
          </li>
        ))}
      </ul>
    </section>
  );
};
