// A release channel: a shape and a word, never colour alone.

import type { Channel } from "#platform/db/tables.js";
import { keepHtml } from "#web/context/kept-html.js";
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";

export const channelShapes: Record<Channel, string> = { release: "●", beta: "▲", alpha: "◆", dev: "✳" };

export const ChannelPill = ({ channel }: { channel: Channel }) => {
  const t = useTexts(texts.parts.common);
  return keepHtml(`pill ${channel}`, () => (
    <span class={`pill ${channel}`}>
      <span aria-hidden="true">{channelShapes[channel]}</span> {t.channels[channel]}
    </span>
  ));
};
