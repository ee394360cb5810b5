// What a caller or a form says a webhook should be.

import { lengths } from "#lib/lengths.js";
import { invalid } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import { parseTarget, TargetRefused } from "#platform/outbound/targets.js";
import { hiddenPart } from "./policy.js";
import { showUrl, type WebhookRow } from "./read.js";
import type { WebhookEdit, WebhookInput } from "./write.js";

interface InputBody {
  url: string;
  form?: WebhookRow["form"];
  events: readonly string[];
  enabled?: boolean;
}

export const toInput = (body: InputBody, resources: Resources): WebhookInput => {
  const { url, form = "standard", events, enabled = true } = body;
  return { url: toUrl(url, resources), form, events, enabled };
};

/** `url` as it is shown, or none: the address stays. */
export function toEdit({ url, ...rest }: WebhookEdit, before: WebhookRow, resources: Resources): WebhookEdit {
  const stays = url === undefined || url === showUrl(resources.vault, before);
  return stays ? rest : { ...rest, url: toUrl(url, resources) };
}

/** The one spelling of the address, if it may be called at all. */
function toUrl(text: string, { config }: Resources): string {
  try {
    if (text.includes(hiddenPart))
      throw new TargetRefused("must be the whole address, not the part of it that is shown");
    const { href } = parseTarget(text, { allowPrivate: config.privateWebhooks });
    // Letters beyond ASCII take up to nine characters there.
    if (href.length > lengths.webhookUrl[1]) throw new TargetRefused("is too long");
    return href;
  } catch (error) {
    if (!(error instanceof TargetRefused)) throw error;
    throw invalid({ path: "url", message: error.message });
  }
}
