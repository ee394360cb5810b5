// The row that a sealed secret belongs to: it opens only there, so that it cannot be moved to another row.
export const aboutTotp = (userId: string): string => `totp_secrets ${userId}`;
export const aboutWebhookUrl = (webhookId: string): string => `webhooks url ${webhookId}`;
export const aboutSetting = (name: string): string => `sealed_settings ${name}`;
export const aboutWebhook = (webhookId: string): string => `webhooks ${webhookId}`;
