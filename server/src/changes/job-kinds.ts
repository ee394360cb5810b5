// The kinds of background work and what each is told. A payload never holds a secret: codes and tokens are made when
// the job runs.

export interface JobPayloads {
  "mail-password-reset": { email: string };
  "mail-email-change": { userId: string; email: string };
  "mail-notice": { to: string; notice: "passwordChanged" | "emailChanged"; userName: string };
  "tell-followers": { projectId: string };
  "start-digests": Record<string, never>;
  /** Unread notifications from after one moment, up to and with the other. */
  "mail-digest": { userId: string; since: number; until: number };
  "delete-expired": Record<string, never>;
  "collect-blobs": Record<string, never>;
  "fold-downloads": Record<string, never>;
  "rebuild-search": Record<string, never>;
  /** What is due of a webhook, or one delivery that somebody asked for. */
  "deliver-webhook": { webhookId: string; deliveryId?: string };
}

export type JobKind = keyof JobPayloads;
