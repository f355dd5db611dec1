/** The port of destinations. Adapters map purely, return one outcome per record, and never sleep, retry or keep state. */
import type { z } from 'zod'

export type DestinationKind = 'slack' | 'hubspot' | 'google_sheets' | 's3' | 'attio' | 'salesforce'

/** A request to a platform. Any HTTP answer resolves; it rejects only with `DestinationFailure`. */
export type PlatformRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
  /** Set for reads by another method (a search by POST): a lost answer is then `unavailable`. */
  readonly isRead?: boolean | undefined
}

/** True when the request changes nothing. */
export const isRead = ({ method, isRead: said }: PlatformRequest): boolean =>
  said ?? (method === 'GET' || method === 'HEAD')

/** An answer of any status; header names in lower case. */
export type PlatformAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Makes one guarded request, counted against the budget of the credential. */
export type PlatformCall = (request: PlatformRequest) => Promise<PlatformAnswer>

/** The kind of a failure, which decides what happens next. */
export type DestinationTrouble =
  /** Credentials refused or revoked: pauses as `credentials_rejected`. */
  | 'auth_revoked'
  /** Pauses as `scope_missing`. */
  | 'scope_missing'
  /** Something set up is gone (field, sheet, bucket, channel): pauses as `setup_missing`. */
  | 'setup_missing'
  /** Not in the customer's plan: pauses as `plan`. */
  | 'plan'
  /** Too many calls: retried, attempt not counted. */
  | 'rate'
  /** Daily quota used up: pauses as `quota` until `retryAt`. */
  | 'quota_day'
  /** Not reachable, a 5xx, or an HTML page: retried, attempt not counted. */
  | 'unavailable'
  /** The request was sent but no answer came: it may have taken effect. */
  | 'answer_lost'
  /** Refused for a reason that a repetition does not change. */
  | 'request_refused'

export type FailureDetails = {
  /** When the platform wants the next call; null if it did not say. */
  readonly retryAt?: Date | null
  /** Missing scopes, fields or objects, by the platform's names. */
  readonly missing?: readonly string[]
  readonly cause?: unknown
}

/** A failed call to a platform. The message may be shown to customers: it contains no credential. */
export class DestinationFailure extends Error {
  override readonly name = 'DestinationFailure'
  readonly trouble: DestinationTrouble
  readonly retryAt: Date | null
  readonly missing: readonly string[]
  constructor(trouble: DestinationTrouble, message: string, { retryAt, missing, cause }: FailureDetails = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.trouble = trouble
    this.retryAt = retryAt ?? null
    this.missing = missing ?? []
  }
}

export type EngagementDocument = {
  /** Unique for ever within the team; identifies its note. */
  readonly key: string
  readonly type: 'Like' | 'Comment' | 'Author'
  readonly at: string
  readonly postUrl: string | null
  readonly commentText: string | null
  readonly sourceLabel: string | null
}

/** One person's known facts, the same for every kind. All texts come from strangers: adapters must escape them. */
export type LeadDocument = {
  /** Our key of the person for upserts: stable, unique within the team, at most 64 letters, digits and `-`. */
  readonly personKey: string
  readonly leadId: string
  readonly name: string | null
  readonly firstName: string | null
  readonly lastName: string | null
  readonly email: string | null
  readonly linkedinUrl: string
  readonly headline: string | null
  readonly jobTitle: string | null
  readonly country: string | null
  readonly company: {
    readonly name: string | null
    readonly domain: string | null
    readonly linkedinUrl: string | null
    readonly industry: string | null
    readonly staffRange: string | null
    readonly employeeCount: number | null
  }
  readonly isIcp: boolean | null
  /** 0 to 100 where an agent ranks the person. */
  readonly fit: number | null
  readonly sourceLabel: string | null
  readonly engagementType: 'Like' | 'Comment' | 'Author'
  readonly engagedAt: string | null
  readonly commentText: string | null
  readonly postUrl: string | null
  readonly why: string
  /** The team's stage for the person, and the member (by email) who owns them. */
  readonly stage: string | null
  readonly owner: string | null
  readonly leadUrl: string | null
  /** Newest first, at most 25. */
  readonly engagements: readonly EngagementDocument[]
}

/** When a field is written: always, only while it is empty on the platform, or never. */
export type WriteMode = 'always' | 'if_empty' | 'never'

/** A mapping row: a platform's field, and the dotted name of a document's field (`company.name`). */
export type MappingRow = { readonly field: string; readonly from: string; readonly mode: WriteMode }

export type PlatformField = {
  readonly name: string
  readonly label: string
  readonly type: 'text' | 'number' | 'boolean' | 'date' | 'select' | 'multiselect' | 'other'
  readonly options: readonly string[]
  readonly writable: boolean
  readonly required: boolean
}

/** The account of the credentials, and what is missing; `findings`: sentences about limitations. */
export type Check = {
  readonly account: string
  readonly scopes: readonly string[]
  readonly missing: readonly string[]
  readonly findings: readonly string[]
}

/** A record to deliver; `remote` is the result of an earlier delivery. */
export type DeliveryRecord = {
  /** Echoed in its outcome; outcomes may come in any order. */
  readonly id: string
  readonly document: LeadDocument
  readonly remote: RemoteRecord | null
  /** A test about nobody, which must be marked as such. */
  readonly isSample: boolean
}

/** A person's record on the platform; `notes`: keys of the engagements that have a note. */
export type RemoteRecord = {
  readonly id: string
  readonly url: string | null
  readonly companyId: string | null
  readonly notes: readonly string[]
}

/** A stage that a record reached, or the end of a deal. */
export type StageRead = {
  readonly remoteId: string
  readonly outcome: 'interested' | 'meeting' | 'won' | 'lost'
  readonly at: Date
  /** Identifies the change, so that reading it again counts once. */
  readonly externalId: string
  readonly amount: number | null
  readonly currency: string | null
}

/** A value that the platform refused; the rest of its record was written without it. */
export type LeftOut = { readonly field: string; readonly message: string }

export type RecordOutcome = { readonly id: string } & (
  | {
      readonly state: 'written'
      readonly how: 'created' | 'updated' | 'adopted'
      readonly remote: RemoteRecord
      readonly leftOut?: readonly LeftOut[]
    }
  /** Only this record is refused; a repetition does not change that. */
  | { readonly state: 'refused'; readonly code: string; readonly message: string; readonly field: string | null }
  /** Not done: sent again, from `at` if the platform gave a time; attempt not counted. */
  | {
      readonly state: 'later'
      readonly trouble: DestinationTrouble
      readonly at: Date | null
      readonly message: string
    }
  /** It may have been done: `find` is asked before it is sent again. */
  | { readonly state: 'unknown'; readonly message: string }
)

export type Connection<Settings = unknown, Credentials = unknown> = {
  readonly settings: Settings
  readonly credentials: Credentials
  readonly mapping: readonly MappingRow[]
}

export type AdapterParts = {
  readonly call: PlatformCall
  /** Base URL (`LES_HUBSPOT_URL` …), without a trailing slash. */
  readonly baseUrl: string
  /** Google's token URL (`LES_GOOGLE_TOKEN_URL`); other kinds ignore it. */
  readonly tokenUrl?: string
  /** Service time. */
  readonly now: Date
  /** For kinds with daily files: the UTC day (`2026-11-28`) of the first try, so that a repeat after midnight finds its file. */
  readonly day?: string
  /** Called before each write of people by kinds that make several; rejects when the delivery must stop. */
  readonly beforeRecord?: () => Promise<void>
}

/** One kind of destination. Methods throw only `DestinationFailure`, when the platform fails as a whole. */
export interface DestinationAdapter<Settings = unknown, Credentials = unknown> {
  readonly kind: DestinationKind
  /** Strict: unknown fields are refused. */
  readonly settings: z.ZodType<Settings>
  readonly credentials: z.ZodType<Credentials>
  /** The last four characters of the secret. */
  hint(credentials: Credentials): string
  readonly limits: {
    readonly recordsPerDelivery: number
    /** Calls per credential and window: four fifths of the platform's limit. */
    readonly calls: number
    readonly windowMs: number
    /** One record per person, updated when facts change; or one message per lead. */
    readonly per: 'person' | 'lead'
  }
  /** A record may be written twice without harm. */
  readonly isRepeatable: boolean
  /** The account and permissions of the credentials; refused credentials throw `auth_revoked`. */
  check(parts: AdapterParts, connection: Connection<Settings, Credentials>): Promise<Check>
  /** Creates what deliveries need (fields, header row); repeatable. */
  prepare(parts: AdapterParts, connection: Connection<Settings, Credentials>): Promise<void>
  /** The fields a mapping may name; empty for kinds without mapping. */
  fields(parts: AdapterParts, connection: Connection<Settings, Credentials>): Promise<readonly PlatformField[]>
  /** Pure: the mapped document, whose hash shows whether anything changed. */
  map(connection: Connection<Settings, Credentials>, document: LeadDocument): Readonly<Record<string, unknown>>
  /** Delivers records of different people; returns an outcome for each, even if the platform fails half-way (`outcomeOf`). */
  deliver(
    parts: AdapterParts,
    connection: Connection<Settings, Credentials>,
    records: readonly DeliveryRecord[],
  ): Promise<readonly RecordOutcome[]>
  /** Which people exist, by `personKey` (by `leadId` for kinds with a message per lead); null: cannot be asked. */
  find(
    parts: AdapterParts,
    connection: Connection<Settings, Credentials>,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, RemoteRecord> | null>
  /** For CRMs: the stages of up to 100 records; what a missing scope hides is left out. */
  readStages?(
    parts: AdapterParts,
    connection: Connection<Settings, Credentials>,
    remoteIds: readonly string[],
  ): Promise<readonly StageRead[]>
  /** For kinds whose URL a customer gives: that URL, to be checked and called only through the guarded egress. */
  customerAddress?(settings: Settings): string | null
  /** For daily files: completes the day with its files (delivered `id`s). Repeatable; other files throw `request_refused`. */
  closeDay?(
    parts: AdapterParts,
    connection: Connection<Settings, Credentials>,
    day: string,
    partKeys: readonly string[],
  ): Promise<void>
}
