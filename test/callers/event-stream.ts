// A simple client of server-sent events: every received block, and when the stream ended.

export interface StreamedEvent {
  id: string | undefined;
  event: string | undefined;
  data: unknown;
}

export interface EventStream {
  status: number;
  headers: Headers;
  /** Events with data. */
  events: StreamedEvent[];
  /** Everything received, as text. */
  readonly text: string;
  ended: Promise<void>;
  close(): void;
}

export async function openEventStream(url: string, headers: Record<string, string> = {}): Promise<EventStream> {
  const closing = new AbortController();
  const response = await fetch(url, {
    headers: { accept: "text/event-stream", ...headers },
    signal: closing.signal,
  });
  const stream = {
    status: response.status,
    headers: response.headers,
    events: [] as StreamedEvent[],
    text: "",
    ended: Promise.resolve(),
    close: () => closing.abort(),
  };
  const read = async () => {
    let rest = "";
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      stream.text += chunk;
      const blocks = (rest + chunk).split("\n\n");
      rest = blocks.pop()!;
      stream.events.push(...blocks.flatMap(toEvents));
    }
  };
  stream.ended = read().catch((error: Error) => {
    if (error.name !== "AbortError") throw error;
  });
  return stream;
}

function toEvents(block: string): StreamedEvent[] {
  const fields = new Map(
    block.split("\n").map((line) => [line.split(": ", 1)[0]!, line.slice(line.indexOf(": ") + 2)]),
  );
  const data = fields.get("data");
  if (data === undefined) return [];
  return [{ id: fields.get("id"), event: fields.get("event"), data: JSON.parse(data) }];
}
