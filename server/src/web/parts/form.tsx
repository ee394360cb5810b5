// Every form of the site. A form that is sent by POST carries its own token (context/form-token.ts); a law forbids `<form>` elsewhere.
import type { ComponentChildren, FormHTMLAttributes } from "preact";
import { formTokenField, needsToken } from "#web/context/form-token.js";
import { useFrame } from "#web/context/frame.js";

interface Props
  extends Pick<FormHTMLAttributes, "id" | "class" | "hidden" | "popover" | "aria-label" | "aria-labelledby"> {
  /** POST, unless it says otherwise. */
  method?: "get" | "dialog";
  action?: string;
  /** Sent along, and not shown. */
  fields?: Record<string, string>;
  hasFiles?: boolean;
  /** The form is sent in the background, and this is said afterwards (scripts/site/enhance.ts). */
  done?: string | undefined;
  /** For scripts. */
  [data: `data-${string}`]: unknown;
  children?: ComponentChildren;
}

export const Form = ({ method, action, fields = {}, hasFiles = false, done, children, ...others }: Props) => (
  <form
    {...others}
    method={method === "get" ? undefined : (method ?? "post")}
    action={action}
    encType={hasFiles ? "multipart/form-data" : undefined}
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
