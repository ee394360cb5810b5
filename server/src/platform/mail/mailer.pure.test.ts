import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { startSmtp } from "#test/setup/smtp.js";
import { followMailer, type MailConfig, type Mailer, openMailer } from "./mailer.js";

const from = "Modshelf <noreply@mods.example>";
const mail = { to: "ada@example.org", subject: "Hello", text: "Good morning\n" };

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function smtpAndMailer(credentials?: { user: string; password: string }) {
  const smtp = await startSmtp(credentials);
  open.push(() => smtp.stop());
  return { smtp, mailer: mailerFor(smtp.url) };
}

function mailerFor(smtpUrl: string, timeoutMs?: number): Mailer {
  const mailer = openMailer({ smtpUrl, from }, timeoutMs);
  open.push(() => mailer.close());
  return mailer;
}

describe("the mailer", () => {
  test("delivers a mail with its sender, recipient, subject and text", async () => {
    const { smtp, mailer } = await smtpAndMailer();
    expect(mailer.enabled).toBe(true);
    await mailer.send(mail);
    const received = await smtp.nextMessage();
    expect(received).toMatchObject({ from: "noreply@mods.example", to: ["ada@example.org"] });
    expect(received.data).toContain("\r\nTo: ada@example.org\r\n");
    expect(received.data).toContain("\r\nSubject: Hello\r\n");
    expect(received.data).toContain("Auto-Submitted: auto-generated\r\n");
    expect(received.text).toBe("Good morning\r\n");
  });

  test("delivers lines that start with a dot, long lines and other scripts unchanged", async () => {
    const { smtp, mailer } = await smtpAndMailer();
    const texts = [
      ".\n..\n.leading\n",
      `A link:\n\nhttps://mods.example/auth/reset?code=${"x".repeat(120)}\n\nand ${"words ".repeat(60)}\n-- \nbye\n`,
      "Grüße, 日本語, 🔑 = =3D\n.\nend\n",
    ];
    for (const text of texts) {
      await mailer.send({ ...mail, subject: "Schlüssel 🔑", text });
      const received = await smtp.nextMessage();
      expect(received.text.replaceAll("\r\n", "\n")).toBe(text);
      expect(received.data.split("\r\n\r\n")[0]).toMatch(/^[\t\r\n -~]*$/);
    }
  });

  test("signs in with the credentials of the URL, including special characters", async () => {
    const { smtp, mailer } = await smtpAndMailer({ user: "mods@example.org", password: "p:a/s@s %#?" });
    await mailer.send(mail);
    expect(smtp.messages).toHaveLength(1);
    const intruder = mailerFor(smtp.url.replace(/:[^:@]*@/, ":wrong@"));
    await expect(intruder.send(mail)).rejects.toThrow("535");
    expect(smtp.messages).toHaveLength(1);
  });

  test.each([
    "",
    "ada",
    "@example.org",
    "ada@",
    "ada@example.org\r\nBcc: eve@example.org",
    "ada@example.org\nBcc: eve@example.org",
    "ada@example.org\r",
    "ada@example.org\0",
    "ada@example.org, eve@example.org",
    "ada@example.org;eve@example.org",
    "Ada <ada@example.org>",
    "<ada@example.org>",
    "friends: ada@example.org;",
    '"ada@example.org> eve"@example.org',
    "ada@eve@example.org",
    " ada@example.org",
    `${"a".repeat(400)}@example.org`,
  ])("refuses %j as a recipient", async (to) => {
    const { smtp, mailer } = await smtpAndMailer();
    await expect(mailer.send({ ...mail, to })).rejects.toThrow("recipient");
    expect(smtp.messages).toEqual([]);
  });

  test.each(["Hello\r\nBcc: eve@example.org", "Hello\nBcc: eve@example.org", "Hello\r", "Hello\0", "Hello\u2028there"])(
    "refuses %j as a subject",
    async (subject) => {
      const { smtp, mailer } = await smtpAndMailer();
      await expect(mailer.send({ ...mail, subject })).rejects.toThrow("subject");
      expect(smtp.messages).toEqual([]);
    },
  );

  test("delivers many mails sent at once, each exactly once", async () => {
    const { smtp, mailer } = await smtpAndMailer();
    const names = Array.from({ length: 40 }, (_, number) => `user${number}@example.org`);
    await Promise.all(names.map((to) => mailer.send({ ...mail, to })));
    expect(smtp.messages.flatMap(({ to }) => to).sort()).toEqual(names.sort());
  });

  test("reports a server that is unreachable, hangs up or does not answer", async () => {
    const gone = await startSmtp();
    await gone.stop();
    await expect(mailerFor(gone.url).send(mail)).rejects.toThrow("ECONNREFUSED");

    const rude = await listen((socket) => socket.end());
    await expect(mailerFor(`smtp://127.0.0.1:${rude}`).send(mail)).rejects.toThrow(/closed/);

    const silent = await listen(() => {});
    await expect(mailerFor(`smtp://127.0.0.1:${silent}`, 50).send(mail)).rejects.toThrow(
      /^(Greeting never received|Timeout)$/,
    );

    const stuck = await listen((socket) => socket.write("220 ready\r\n"));
    await expect(mailerFor(`smtp://127.0.0.1:${stuck}`, 50).send(mail)).rejects.toThrow("Timeout");
  });

  test("sends nothing unencrypted if the URL requires TLS", async () => {
    const { smtp } = await smtpAndMailer();
    await expect(mailerFor(smtp.url.replace("smtp:", "smtps:"), 1000).send(mail)).rejects.toThrow();
    await expect(mailerFor(`${smtp.url}/?requireTLS=true`).send(mail)).rejects.toThrow(/STARTTLS/);
    expect(smtp.messages).toEqual([]);
  });

  test("refuses mails once it is closed", async () => {
    const { mailer } = await smtpAndMailer();
    mailer.close();
    await expect(mailer.send(mail)).rejects.toThrow("closed");
  });

  test("without a mail server says so", async () => {
    const mailer = openMailer(undefined);
    expect(mailer.enabled).toBe(false);
    await expect(mailer.send(mail)).rejects.toThrow("Mail is not set up");
    expect(() => mailer.close()).not.toThrow();
  });

  test.each(["", "mail.example.org", "https://mail.example.org", "smtp", "direct://mail.example.org"])(
    "refuses %j as a server without repeating it, because it may contain a password",
    (smtpUrl) => {
      const refusal = () => openMailer({ smtpUrl, from });
      expect(refusal).toThrow("must start with smtp:// or smtps://");
      if (smtpUrl.includes("example")) expect(refusal).not.toThrow("example");
    },
  );
});

async function listen(onConnection: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

test("a mailer that follows the settings uses the server and sender of the moment", async () => {
  const [first, second] = [await startSmtp(), await startSmtp()];
  open.push(
    () => first.stop(),
    () => second.stop(),
  );
  let config: MailConfig | undefined;
  const mailer = followMailer(() => config);
  open.push(() => mailer.close());
  expect(mailer.enabled).toBe(false);
  await expect(mailer.send(mail)).rejects.toThrow("not set up");
  config = { smtpUrl: first.url, from };
  expect(mailer.enabled).toBe(true);
  await mailer.send(mail);
  config = { smtpUrl: second.url, from: "other@mods.example" };
  await mailer.send(mail);
  expect([first.messages.length, second.messages.map((each) => each.from)]).toEqual([1, ["other@mods.example"]]);
  config = undefined;
  await expect(mailer.check()).rejects.toThrow("not set up");
});
