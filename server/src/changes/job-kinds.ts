// The kinds of background work and what each is told. A payload never holds a secret: codes and tokens are made when
// the job runs.

export interface JobPayloads {
  "mail-password-reset": { email: string };
  "mail-email-change": { userId: string; email: string };
  "mail-notice": { to: string; notice: "passwordChanged" | "emailChanged"; userName: string };
  "delete-expired": Record<string, never>;
  "collect-blobs": Record<string, never>;
  "fold-downloads": Record<string, never>;
}

export type JobKind = keyof JobPayloads;
