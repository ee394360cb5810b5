// The content of a button that turns something on or off. A script shows the second face at once, while the form is sent in
// the background (scripts/site/enhance.ts).
import { Icon, type IconName } from "./icon.js";

interface Face {
  icon: IconName;
  text: string;
}

export const ToggleFaces = ({ now, then }: { now: Face; then: Face }) => (
  <>
    <Icon name={now.icon} /> {now.text}
    <template>
      <Icon name={then.icon} /> {then.text}
    </template>
  </>
);
