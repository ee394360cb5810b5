// Sends plain text mail over SMTP, or says clearly that mail is not set up. It tries once: the job queue retries.
import { createTransport } from "nodemailer";

export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** The same as HTML. */
  html?: string;
  /** In angle brackets; generated if absent. */
  messageId?: string;
  headers?: Record<string, string>;
}

export interface Mailer {
  readonly enabled: boolean;
  send(mail: Mail): Promise<void>;
  /** Connects and signs in, but sends nothing; throws if the mail server would not accept mail. */
  check(): Promise<void>;
  close(): void;
}

export interface MailConfig {
  /** `smtp://…`: STARTTLS when offered, or always with `?requireTLS=true`. `smtps://…`: TLS from the start. */
  smtpUrl: string;
  from: string;
}

const timeoutMs = 10_000;

/** `timeout` applies separately to connecting, to the server's greeting and to silence afterwards. */
export function openMailer(config: MailConfig | undefined, timeout = timeoutMs): Mailer {
  if (!config) return noMailer;
  if (!isSmtpUrl(config.smtpUrl)) throw new Error("The mail server's address must start with smtp:// or smtps://");
  const transport = createTransport({
    url: config.smtpUrl,
    pool: true,
    maxConnections: 2,
    maxRequeues: 0,
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    dnsTimeout: timeout,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    enabled: true,
    async send({ to, subject, text, html, messageId, headers: more }) {
      if (!isOneAddress(to)) throw new Error("The recipient is not a single email address");
      if (hasControlCharacter(subject)) throw new Error("The subject of a mail must be one line");
      // RFC 3834: prevents automatic replies such as out-of-office mails.
      const headers = { "Auto-Submitted": "auto-generated", ...more };
      const mail = { subject, text, headers, ...(html && { html }), ...(messageId && { messageId }) };
      await transport.sendMail({ from: config.from, to: { name: "", address: to }, ...mail });
    },
    async check() {
      await transport.verify();
    },
    close: () => transport.close(),
  };
}

/** Uses the settings as they are at each mail: administrators can change them while the server runs. */
export function followMailer(read: () => MailConfig | undefined): Mailer {
  let [current, used] = [noMailer, ""];
  const open = (): Mailer => {
    const config = read();
    const wanted = config ? `${config.from}\n${config.smtpUrl}` : "";
    if (wanted === used) return current;
    // Mails that are being sent over the old connection fail at worst, and the job queue sends them again.
    current.close();
    [current, used] = [openMailer(config), wanted];
    return current;
  };
  return {
    get enabled() {
      return read() !== undefined;
    },
    send: async (mail) => open().send(mail),
    check: async () => open().check(),
    close: () => current.close(),
  };
}

const notSetUp = async () => {
  throw new Error("Mail is not set up on this server, so nothing can be sent");
};

const noMailer: Mailer = {
  enabled: false,
  send: notSetUp,
  check: notSetUp,
  close: () => {},
};

function isSmtpUrl(text: string): boolean {
  const protocol = URL.parse(text)?.protocol;
  return protocol === "smtp:" || protocol === "smtps:";
}

// Anything that could end the header line or add a second recipient is refused, not repaired.
function isOneAddress(text: string): boolean {
  return text.length <= 320 && !hasControlCharacter(text) && /^[^\s@,;:<>()[\]"\\]+@[^\s@,;:<>()[\]"\\]+$/.test(text);
}

function hasControlCharacter(text: string): boolean {
  return /\p{Cc}|[\u2028\u2029]/u.test(text);
}
