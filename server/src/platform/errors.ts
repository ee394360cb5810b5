// All refusals of the service with their statuses. The code is public and stable; its sentence, which says what to do,
// is in words/<language>/refusals.ts. Refusals are thrown anywhere and turned into an answer in
// platform/http/errors.ts.
import type { Words } from "#words/en/catalogue.js";
import type { Locale } from "#words/languages.js";
import { type Said, type Sentence, say, sayIn } from "#words/said.js";

export type ErrorCode = keyof Words["refusals"];

/** For the reference: every code with its status. */
export const errorStatuses: Readonly<Record<ErrorCode, number>> = {
  // 400
  invalidRequest: 400,
  invalidJson: 400,
  invalidUrl: 400,
  expiryInPast: 400,
  scopesNotForOneProject: 400,
  unknownScopes: 400,
  restrictedScopes: 400,
  nameReserved: 400,
  imageUnusable: 400,
  passwordsDiffer: 400,
  codeInvalid: 400,
  passkeyRefused: 400,
  providerRefused: 400,
  providerUnknown: 404,
  idempotencyKeyInvalid: 400,
  selfReport: 400,
  fileRefused: 400,
  packInvalid: 400,
  projectsUnknown: 400,
  checksumWrong: 400,
  multipartInvalid: 400,
  applicationSuspended: 400,
  grantInvalid: 400,
  grantTypeUnsupported: 400,
  scopesNotGranted: 400,
  approvalPending: 400,
  askedTooSoon: 400,
  approvalDenied: 400,
  deviceCodeExpired: 400,

  // 401, 403
  clientInvalid: 401,
  tokenExpired: 401,
  credentialInvalid: 401,
  signInNeeded: 401,
  artifactHidden: 401,
  signInFailed: 401,
  secondFactorNeeded: 401,
  secondFactorWrong: 401,
  passwordWrong: 403,
  addressUnconfirmed: 403,
  scopeMissing: 403,
  identityRefused: 403,
  sessionNeeded: 403,
  freshSessionNeeded: 403,
  permissionMissing: 403,
  ownerOnly: 403,
  moderatorOnly: 403,
  adminOnly: 403,
  confirmationNeeded: 403,
  membersOnly: 403,
  staffProtected: 403,
  othersMessage: 403,
  originRefused: 403,
  formStale: 403,
  registrationClosed: 403,
  inviteCodeInvalid: 403,
  accountSuspended: 403,
  setupDone: 404,

  // 404, 405, 406
  notFound: 404,
  methodNotAllowed: 405,
  projectNotFound: 404,
  versionNotFound: 404,
  packNotFound: 404,
  organizationNotFound: 404,
  teamNotFound: 404,
  memberNotFound: 404,
  inviteNotFound: 404,
  moveNotFound: 404,
  offerNotFound: 404,
  galleryItemNotFound: 404,
  userNotFound: 404,
  passkeyNotFound: 404,
  applicationNotFound: 404,
  tokenNotFound: 404,
  sessionNotFound: 404,
  reportNotFound: 404,
  caseNotFound: 404,
  threadNotFound: 404,
  messageNotFound: 404,
  quarantineNotFound: 404,
  deniedHashNotFound: 404,
  licenseNotFound: 404,
  artifactNotFound: 404,
  fileNotFound: 404,
  collectionNotFound: 404,
  notificationNotFound: 404,
  publisherNotFound: 404,
  webhookNotFound: 404,
  deliveryNotFound: 404,
  uploadNotFound: 404,
  providerNotLinked: 404,

  // 408 to 431
  requestTimeout: 408,
  tooManyTokens: 409,
  userNameTaken: 409,
  passwordExists: 409,
  confirmationImpossible: 409,
  addressConfirmed: 409,
  emailTaken: 409,
  versionNumberTaken: 409,
  fileNameTaken: 409,
  projectArchived: 409,
  nameRetired: 409,
  slugTaken: 409,
  alreadyMember: 409,
  addressInvited: 409,
  alreadyOwner: 409,
  ownerStays: 409,
  wrongState: 409,
  changedMeanwhile: 409,
  claimed: 409,
  tooManyReports: 409,
  alreadyFollowing: 409,
  notFollowing: 409,
  projectLimitReached: 409,
  publisherKnown: 409,
  limitReached: 409,
  quotaReached: 409,
  uploadOffsetWrong: 409,
  uploadUnfinished: 409,
  goneMeanwhile: 409,
  providerAccountTaken: 409,
  providerNotKnown: 409,
  providerEmailMissing: 409,
  providerLinked: 409,
  secondFactorOn: 409,
  lastSignInMethod: 409,
  passwordMissing: 409,
  lastAdmin: 409,
  idempotencyKeyInUse: 409,
  idempotencyAnswerGone: 409,
  organizationGone: 410,
  versionGone: 410,
  projectGone: 410,
  changesGone: 410,
  bodyTooLarge: 413,
  fileTooLarge: 413,
  unsupportedMediaType: 415,
  contentDenied: 422,
  planTooLarge: 422,
  planTooHard: 422,
  idempotencyKeyReused: 422,
  rateLimited: 429,
  headersTooLarge: 431,
  projectBarred: 451,

  // 5xx
  internal: 500,
  issuerSilent: 503,
  unavailable: 503,
  secretUnreadable: 503,
  diskNearlyFull: 507,
  diskFull: 507,
};

export interface Issue {
  path: string;
  message: Sentence;
}

export class Failure extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  /** The sentence of `message`, for other languages. */
  readonly said: Sentence;
  readonly issues: Issue[] | undefined;
  readonly headers: Record<string, string>;

  constructor(
    code: ErrorCode,
    status: number,
    said: Sentence,
    more: { issues?: Issue[]; headers?: Record<string, string> } = {},
  ) {
    super(messageIn("en", said, more.issues));
    this.code = code;
    this.status = status;
    this.said = said;
    this.issues = more.issues;
    this.headers = more.headers ?? {};
  }

  in(locale: Locale): string {
    return messageIn(locale, this.said, this.issues);
  }
}

/** A single issue of a request is more useful than the general sentence. */
function messageIn(locale: Locale, said: Sentence, issues: readonly Issue[] = []): string {
  const [issue] = issues;
  const isPlain = said === say.refusals.invalidRequest;
  return isPlain && issue && issues.length === 1
    ? `${issue.path}: ${sayIn(locale, issue.message)}`
    : sayIn(locale, said);
}

type Fail = {
  readonly [C in ErrorCode]: (typeof say.refusals)[C] extends (...parts: infer P) => Said
    ? (...parts: P) => Failure
    : () => Failure;
};

/** `throw fail.userNotFound()` */
export const fail = Object.fromEntries(
  Object.entries(errorStatuses).map(([code, status]) => {
    const sentence = say.refusals[code as ErrorCode] as Said | ((...parts: unknown[]) => Said);
    const sayWith = (parts: unknown[]) => (typeof sentence === "function" ? sentence(...parts) : sentence);
    return [code, (...parts: unknown[]) => new Failure(code as ErrorCode, status, sayWith(parts))];
  }),
) as Fail;

/** A 400 that names each problem. */
export const invalid = (...issues: Issue[]): Failure =>
  new Failure("invalidRequest", errorStatuses.invalidRequest, say.refusals.invalidRequest, { issues });
