// Every form of the site. A form that is sent by POST carries its own token (context/form-token.ts); a law forbids
// `<form>` in other files.
import type { Attributes } from "#lib/jsx-attributes.js";
import type { Children } from "#lib/jsx-runtime.js";
import { formTokenField, needsToken } from "#web/context/form-token.js";
import { useFrame } from "#web/context/frame.js";

interface Props extends Pick<Attributes, "id" | "class" | "hidden" | "popover"> {
  /** POST if absent. */
  method?: "get" | "dialog";
  action?: string;
  /** Hidden fields. */
  fields?: Record<string, string>;
  hasFiles?: boolean;
  /** If set, a script sends the form in the background and then shows this text (scripts/site/enhance.ts). */
  done?: string | undefined;
  [other: `aria-${string}` | `data-${string}`]: Attributes[`data-${string}`];
  children?: Children;
}

export const Form = ({ method, action, fields = {}, hasFiles = false, done, children, ...others }: Props) => (
  <form
    {...others}
    method={method === "get" ? undefined : (method ?? "post")}
    action={action}
    enctype={hasFiles ? "multipart/form-data" : undefined}
    {...(done !== undefined && { "data-enhance": "", "data-done": done })}
  >
    {method === undefined && needsToken(action ?? "") && <Token />}
    {Object.entries(fields).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
    {children}
  </form>
);

const Token = () => {
  const { nextFormToken, path } = useFrame();
  if (!nextFormToken) throw new Error(`A form that needs a token is on a page that is the same for everyone: ${path}`);
  return <input type="hidden" name={formTokenField} value={nextFormToken()} />;
};
