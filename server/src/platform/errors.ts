// Every refusal the service can give: one table, code → status and sentence. The code is public and stable; the
// sentence says what to do. Thrown anywhere, turned into an answer once (platform/http/errors.ts).

type Entry<A extends unknown[]> = readonly [status: number, message: (...args: A) => string];

const table = {
  // 400
  invalidRequest: [400, () => "The request does not fit; see issues"],
  invalidJson: [400, (problem: string) => `The JSON body cannot be read: ${problem}`],
  invalidUrl: [400, () => "The address holds characters that are not allowed"],
  expiryInPast: [400, () => "dateExpires must be in the future"],
  scopesNotForOneProject: [400, (names: string) => `A token for one project cannot hold ${names}`],
  unknownScopes: [400, (names: string) => `These scopes do not exist: ${names}. See /api/tags/api-scopes`],
  restrictedScopes: [
    400,
    (names: string) => `These scopes exist for browser sessions only and no token can have them: ${names}`,
  ],
  nameReserved: [400, (name: string) => `The name "${name}" is reserved; choose another`],
  imageUnusable: [400, (reason: string) => `The picture cannot be used: ${reason}`],
  passwordsDiffer: [400, () => "newPassword and confirmNewPassword differ"],
  codeInvalid: [400, () => "This code is wrong, used or expired; ask for a new one"],
  passkeyRefused: [400, () => "This passkey is not known here, or its answer came too late"],
  providerRefused: [400, (provider: string) => `${provider} did not confirm the sign-in; start again`],
  providerUnknown: [404, (provider: string) => `There is no sign-in provider "${provider}" here`],
  idempotencyKeyInvalid: [400, () => "Idempotency-Key must be 1 to 255 printable ASCII characters"],
  selfReport: [400, () => "You cannot report yourself"],
  fileRefused: [400, (file: string, reason: string) => `${file} is refused: ${reason}`],
  projectsUnknown: [400, () => "projectIds names no project that you can see"],
  checksumWrong: [400, () => "The part did not arrive as it was sent; send it again"],
  multipartInvalid: [400, (problem: string) => `The form cannot be read: ${problem}`],

  // 401, 403
  tokenExpired: [
    401,
    (name: string) => `The token "${name}" has expired. Give it more time, or make a new one, at /settings/pats`,
  ],
  credentialInvalid: [
    401,
    () => "This token is wrong, expired or revoked. Make a new one, or leave the Authorization header out",
  ],
  signInNeeded: [401, () => "Sign in, or send a personal access token in the Authorization header"],
  artifactHidden: [
    401,
    () => "There is no such artifact for everybody; if it is yours, give a personal access token as the password",
  ],
  signInFailed: [401, () => "No account fits this e-mail and password"],
  secondFactorNeeded: [401, () => "This account has a second factor; send its code as well, or sign in on the website"],
  secondFactorWrong: [401, () => "This code is not right, or was used already"],
  passwordWrong: [403, () => "The current password is not right"],
  addressUnconfirmed: [
    403,
    () =>
      "Confirm your e-mail address first: open the link that was mailed to you, or have it sent again at /settings/account",
  ],
  scopeMissing: [403, (scope: string) => `This token lacks the scope ${scope}`],
  identityRefused: [403, (reason: string) => `The identity token is refused: ${reason}`],
  sessionNeeded: [403, () => "This needs a browser session; a personal access token cannot do it"],
  freshSessionNeeded: [403, () => "Sign in again, then repeat this within 10 minutes"],
  permissionMissing: [403, (permission: string) => `You need the permission ${permission} for this`],
  ownerOnly: [403, () => "Only the owner can do this"],
  moderatorOnly: [403, () => "Only moderators can do this"],
  adminOnly: [403, () => "Only administrators can do this"],
  confirmationNeeded: [403, () => "Confirm your identity at /auth/confirm to use your powers as a member of staff"],
  membersOnly: [403, () => "Only members of the project can see this"],
  staffProtected: [403, () => "Moderators cannot do this to moderators or administrators"],
  othersMessage: [403, () => "Another moderator wrote this; an administrator can take it out"],
  originRefused: [403, () => "This request did not come from this site's own pages, so its cookie was not used"],
  formStale: [403, () => "This form is too old, or did not come from this site's own pages; load its page again"],
  registrationClosed: [403, () => "Registration is closed here; ask the operator for an account"],
  inviteCodeInvalid: [
    403,
    () => "This invite code is wrong, used up or expired; ask whoever gave it to you for another",
  ],
  accountSuspended: [403, () => "This account is suspended; contact the operator"],
  setupDone: [404, () => "This Modshelf is set up already"],

  // 404, 405, 406
  notFound: [404, () => "There is nothing at this address; see /api/docs"],
  methodNotAllowed: [405, (allowed: string) => `This address takes ${allowed}`],
  projectNotFound: [404, () => "There is no such project"],
  versionNotFound: [404, () => "There is no such version"],
  organizationNotFound: [404, () => "There is no such organization"],
  teamNotFound: [404, () => "There is no such team"],
  memberNotFound: [404, () => "There is no such member in this team"],
  inviteNotFound: [404, () => "You have no open invitation to this team"],
  moveNotFound: [404, () => "Nothing to undo: the move is unknown or too old, or you have left the organization"],
  offerNotFound: [404, () => "There is no offer of this team any more"],
  galleryItemNotFound: [404, () => "There is no such picture in this gallery"],
  userNotFound: [404, () => "There is no such user"],
  passkeyNotFound: [404, () => "There is no such passkey of yours"],
  tokenNotFound: [404, () => "There is no such token of yours"],
  sessionNotFound: [404, () => "There is no such session of yours"],
  reportNotFound: [404, () => "There is no such report"],
  caseNotFound: [404, () => "There is no such case"],
  threadNotFound: [404, () => "There is no such conversation"],
  messageNotFound: [404, () => "There is no such message"],
  quarantineNotFound: [404, () => "There is no such quarantine"],
  deniedHashNotFound: [404, () => "This hash is not on the list of denied contents"],
  licenseNotFound: [404, () => "There is no such licence; see /api/tags/licenses"],
  artifactNotFound: [404, () => "There is no such artifact"],
  fileNotFound: [404, () => "There is no such file"],
  collectionNotFound: [404, () => "There is no such collection"],
  notificationNotFound: [404, () => "There is no such notification"],
  publisherNotFound: [404, () => "There is no such trusted publisher of this project"],
  webhookNotFound: [404, () => "There is no such webhook of yours"],
  deliveryNotFound: [404, () => "There is no such delivery; the last 200 are kept, for 30 days"],
  uploadNotFound: [404, () => "There is no such upload of yours here any more; begin anew"],
  providerNotLinked: [404, (provider: string) => `No ${provider} account is linked`],

  // 408 to 431
  requestTimeout: [408, () => "The request took too long to arrive; send it again"],
  tooManyTokens: [
    409,
    (most: string) => `You have ${most} tokens, the most that an account can have; delete one that you no longer use`,
  ],
  userNameTaken: [409, () => "This user name is taken; choose another"],
  passwordExists: [409, () => "This account has a password already; change it instead"],
  confirmationImpossible: [
    409,
    () =>
      "This needs a confirmed e-mail address and a site that sends mail; use your password or a new sign-in instead",
  ],
  addressConfirmed: [409, () => "Your e-mail address is confirmed already"],
  emailTaken: [409, () => "An account with this e-mail exists already; sign in, or reset its password"],
  versionNumberTaken: [
    409,
    () => "A version with this number and another primary file exists; bytes never change, so take a new number",
  ],
  fileNameTaken: [409, (name: string) => `This version has a file named ${name} already; files are never replaced`],
  projectArchived: [409, () => "This project is archived and takes no new versions; change its visibility first"],
  nameRetired: [
    409,
    (name: string, until: string) =>
      `"${name}" belonged to something that was deleted, and nobody gets it before ${until}; choose another`,
  ],
  slugTaken: [409, () => "This slug is taken; choose another"],
  alreadyMember: [409, () => "This user is in the team, or invited to it, already"],
  addressInvited: [409, () => "This address has been invited already"],
  alreadyOwner: [409, () => "This user is the owner already"],
  ownerStays: [409, () => "The owner cannot leave or be removed; make another member the owner first"],
  wrongState: [409, (problem: string) => problem],
  changedMeanwhile: [409, () => "Somebody else has changed this meanwhile; look at it again before you save"],
  claimed: [409, (name: string, until: string) => `${name} has this in hand until ${until}`],
  tooManyReports: [409, (most: number) => `You have ${most} open reports; wait until some of them are closed`],
  alreadyFollowing: [409, () => "You follow this project already"],
  notFollowing: [409, () => "You do not follow this project"],
  projectLimitReached: [
    409,
    (most: number) =>
      `You own ${most} projects, which is as many as one person may own here; move some to an organization, or ask the people who run this site`,
  ],
  publisherKnown: [409, () => "The project trusts these builds already"],
  limitReached: [409, (limit: string) => `This would be more than the ${limit} allowed; remove some first`],
  quotaReached: [
    409,
    (limit: string, used: string) =>
      `This account may store ${limit} of files, and ${used} are used; delete versions that are no longer needed, or ask the site's team`,
  ],
  uploadOffsetWrong: [409, (offset: number) => `The upload stands at byte ${offset}; go on from there`],
  uploadUnfinished: [
    409,
    (received: number, size: number) => `Only ${received} of ${size} bytes of the upload have arrived; send the rest`,
  ],
  goneMeanwhile: [409, () => "Something that this needs was deleted a moment ago; look again"],
  providerAccountTaken: [409, (provider: string) => `This ${provider} account belongs to another user here`],
  providerNotKnown: [
    409,
    (provider: string) => `No account here is linked to this ${provider} account; sign up with it first`,
  ],
  providerEmailMissing: [
    409,
    (provider: string) => `${provider} shows no verified e-mail for this account; verify one there first`,
  ],
  providerLinked: [409, (provider: string) => `Another ${provider} account is linked already; unlink it first`],
  secondFactorOn: [409, () => "The second factor is on already"],
  lastSignInMethod: [
    409,
    () => "This is the only way to sign in to this account; add a password or another provider first",
  ],
  passwordMissing: [409, () => "This account has no password"],
  lastAdmin: [409, () => "You are the only administrator; make another one first"],
  idempotencyKeyInUse: [
    409,
    () => "The first request with this Idempotency-Key is still being worked on; try again shortly",
  ],
  idempotencyAnswerGone: [
    409,
    () => "This was done already; its answer is not kept here, for it may hold a secret that is shown only once",
  ],
  organizationGone: [410, () => "This organization was deleted, and its name goes to nobody else for now"],
  versionGone: [
    410,
    () => "This version was deleted by the project's team; its number goes to no other version for now",
  ],
  projectGone: [410, () => "This project was deleted by its owners, and its name goes to nobody else for now"],
  changesGone: [410, () => "Changes since then are not all known here any more; begin anew with since=0"],
  bodyTooLarge: [413, (limit: string) => `The body is larger than the ${limit} allowed here`],
  fileTooLarge: [413, (part: string, limit: string) => `${part} is larger than the ${limit} allowed`],
  unsupportedMediaType: [415, (accepted: string) => `Send the body as ${accepted}`],
  contentDenied: [422, (file: string, part: string) => `${file} is refused: ${part} may not be published here`],
  planTooLarge: [422, (limit: string) => `This leads to more than ${limit}; ask about fewer projects at once`],
  planTooHard: [
    422,
    () => "There are too many combinations to try; name versions of some of the projects, or ask about fewer at once",
  ],
  idempotencyKeyReused: [422, () => "This Idempotency-Key was used with a different request; take a new one"],
  rateLimited: [429, (seconds: number) => `Too many requests; try again in ${seconds} s`],
  headersTooLarge: [431, () => "The headers are larger than the 16 KiB allowed"],
  projectBarred: [451, () => "Moderators had to take this project off the site for a legal reason"],

  // 5xx
  internal: [500, () => "Something went wrong here; it has been logged under the request id"],
  issuerSilent: [
    503,
    (issuer: string) => `${issuer} does not answer, so its tokens cannot be checked; try again shortly`,
  ],
  unavailable: [503, () => "The service cannot do this right now; try again shortly"],
  secretUnreadable: [503, () => "This needs a key that the server does not have; its operator must put it back"],
  diskNearlyFull: [
    507,
    () => "The server's disk is nearly full, so it takes no files for now; everything else goes on",
  ],
  diskFull: [507, () => "The server's disk is full; nothing was stored"],
} as const satisfies Record<string, Entry<never[]>>;

export type ErrorCode = keyof typeof table;

export interface Issue {
  path: string;
  message: string;
}

export class Failure extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly issues: Issue[] | undefined;
  readonly headers: Record<string, string>;

  constructor(
    code: ErrorCode,
    status: number,
    message: string,
    more: { issues?: Issue[]; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.code = code;
    this.status = status;
    this.issues = more.issues;
    this.headers = more.headers ?? {};
  }
}

type Fail = { [C in ErrorCode]: (...args: Parameters<(typeof table)[C][1]>) => Failure };

/** `throw fail.userNotFound()` */
export const fail = Object.fromEntries(
  Object.entries(table).map(([code, [status, message]]) => [
    code,
    (...args: never[]) => new Failure(code as ErrorCode, status, (message as (...args: never[]) => string)(...args)),
  ]),
) as Fail;

/** A 400 that names each problem. */
export const invalid = (...issues: Issue[]): Failure => new Failure("invalidRequest", 400, firstOf(issues), { issues });

const firstOf = (issues: Issue[]): string =>
  issues.length === 1 ? `${issues[0]!.path}: ${issues[0]!.message}` : table.invalidRequest[1]();

/** For the reference: every code with its status. */
export const errorStatuses: Record<ErrorCode, number> = Object.fromEntries(
  Object.entries(table).map(([code, [status]]) => [code, status]),
) as Record<ErrorCode, number>;

/** For pages in other languages: what each refusal says, from its parts. */
export const refusalSentences: Record<ErrorCode, (...parts: never[]) => string> = Object.fromEntries(
  Object.entries(table).map(([code, [, sentence]]) => [code, sentence]),
) as Record<ErrorCode, (...parts: never[]) => string>;
