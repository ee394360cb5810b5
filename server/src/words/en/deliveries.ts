// English words of why a message to a webhook was not delivered.

export const deliveries = {
  noAnswerWithin: (seconds: number) => `There was no answer within ${seconds} s`,
  reservedHost: "The host name is reserved for examples",
  unknownHost: "The host name is unknown",
  privateHost: "The host name resolves to a private address",
  refusedUrl: (problem: string) => `The URL ${problem}`,
  tlsFailed: (code: string) => `The TLS certificate or connection is invalid (${code})`,
  notHttp: "The answer is not valid HTTP",
  connectionFailed: (code: string) => `The connection failed${code && ` (${code})`}`,
  tooLarge: "The answer is too large",
  gone: "The receiver answered that it is permanently gone (410)",
  pause: (status: number) => `The receiver asks for a pause (${status})`,
  redirect: (status: number) => `The receiver redirects elsewhere (${status}), which is not followed`,
  answered: (status: number) => `The receiver answered with ${status}`,
  switchedOff: "The webhook was switched off",
};
