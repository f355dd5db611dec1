/**
 * What the service asks of a place where leads go: a CRM, a channel, a sheet, a bucket. An adapter maps purely and answers one outcome a
 * record; it never sleeps, never retries and keeps nothing between calls: all that is done once, by the module that owns destinations.
 */
import type { z } from 'zod'

/** The kinds that have an adapter. */
export type DestinationKind = 'slack' | 'hubspot' | 'google_sheets' | 's3' | 'attio' | 'salesforce'

/** One exchange with a platform. Rejects with `DestinationFailure` alone; any HTTP answer resolves. */
export type PlatformRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD'
  /** Absolute. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** It changes nothing, though its method says nothing of that (a search by POST): an answer that is lost is then `unavailable`. */
  readonly isRead?: boolean
}

/** The request changes nothing. */
export const isRead = ({ method, isRead: said }: PlatformRequest): boolean =>
  said ?? (method === 'GET' || method === 'HEAD')

/** Its answer, whatever its status; header names in lower case. */
export type PlatformAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** How an adapter reaches its platform: one guarded exchange, counted against the budget of the connection's credential. */
export type PlatformCall = (request: PlatformRequest) => Promise<PlatformAnswer>

/** What went wrong, in one word that decides what happens next. */
export type DestinationTrouble =
  /** The credentials are refused or revoked: the destination pauses as `credentials_rejected`. */
  | 'auth_revoked'
  /** A scope is missing: pauses as `scope_missing`. */
  | 'scope_missing'
  /** Something that has to be set up is gone (field, sheet, bucket, channel): pauses as `setup_missing`. */
  | 'setup_missing'
  /** Not in the customer's plan: pauses as `plan`. */
  | 'plan'
  /** Too many calls; later, no try is used up. */
  | 'rate'
  /** The day's quota is used up: pauses as `quota` until `retryAt`. */
  | 'quota_day'
  /** No answer could be sent for, a 5xx, an HTML page in place of an answer; later, no try is used up. */
  | 'unavailable'
  /** The request left and no answer came: it may have been done. */
  | 'answer_lost'
  /** The platform refuses the whole request for a reason that calling again does not change. */
  | 'request_refused'

/** A call to a platform failed as a whole. The message is fit for a customer: it names no credential. */
export class DestinationFailure extends Error {
  override readonly name = 'DestinationFailure'
  readonly trouble: DestinationTrouble
  /** When the platform asked to be called again, from its seconds or its date; null when it did not say. */
  readonly retryAt: Date | null
  /** Scopes, fields or objects that are missing, by the platform's names. */
  readonly missing: readonly string[]
  constructor(
    trouble: DestinationTrouble,
    message: string,
    {
      retryAt = null,
      missing = [],
      cause,
    }: { retryAt?: Date | null; missing?: readonly string[]; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.trouble = trouble
    this.retryAt = retryAt
    this.missing = missing
  }
}

/** An engagement of the person, for a note. */
export type EngagementDocument = {
  /** Unique for ever within the team: the key of its note. */
  readonly key: string
  readonly type: 'Like' | 'Comment' | 'Author'
  readonly at: string
  readonly postUrl: string | null
  readonly commentText: string | null
  readonly sourceLabel: string | null
}

/**
 * What is known of one person of a team, the same for every kind; null where nothing is known. All texts are by strangers: an adapter
 * escapes them for where they go.
 */
export type LeadDocument = {
  /** Our own key of the person, stable and unique within the team (at most 64 characters, letters, digits, `-`): the upsert's key. */
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
  /** Why they are told of, in a sentence. */
  readonly why: string
  /** How far the team is with the person, and whose they are (mail address of a member). */
  readonly stage: string | null
  readonly owner: string | null
  /** Where the team reads more. */
  readonly leadUrl: string | null
  /** Newest first, at most 25. */
  readonly engagements: readonly EngagementDocument[]
}

/** When a field is written: on every change, only while it is empty there, or never. */
export type WriteMode = 'always' | 'if_empty' | 'never'

/** A row of a team's mapping, laid over the built-in one: a platform's field, and the dotted name of a document's field (`company.name`). */
export type MappingRow = { readonly field: string; readonly from: string; readonly mode: WriteMode }

/** A field of the platform, for mapping. */
export type PlatformField = {
  readonly name: string
  readonly label: string
  readonly type: 'text' | 'number' | 'boolean' | 'date' | 'select' | 'multiselect' | 'other'
  readonly options: readonly string[]
  readonly writable: boolean
  readonly required: boolean
}

/** Who the credentials belong to, and what is missing. `findings`: sentences about what works, but not as one might wish. */
export type Check = {
  readonly account: string
  readonly scopes: readonly string[]
  readonly missing: readonly string[]
  readonly findings: readonly string[]
}

/** A record to be delivered. `remote` is what an earlier delivery was answered. */
export type DeliveryRecord = {
  /** Echoed in its outcome; the order of outcomes is free. */
  readonly id: string
  readonly document: LeadDocument
  readonly remote: RemoteRecord | null
  /** Marked as a test about nobody where true. */
  readonly isSample: boolean
}

/** Where a person is on the platform. `notes`: keys of the engagements that have one there already. */
export type RemoteRecord = {
  readonly id: string
  readonly url: string | null
  readonly companyId: string | null
  readonly notes: readonly string[]
}

/** What the team's people have made of a record: a stage that it has reached, or the end of a deal. */
export type StageRead = {
  readonly remoteId: string
  readonly outcome: 'interested' | 'meeting' | 'won' | 'lost'
  readonly at: Date
  /** Names the change there: read again it is the same. */
  readonly externalId: string
  readonly amount: number | null
  readonly currency: string | null
}

/** What became of one record. */
export type RecordOutcome = { readonly id: string } & (
  | {
      readonly state: 'written'
      readonly how: 'created' | 'updated' | 'adopted'
      readonly remote: RemoteRecord
      /** Values that the platform would not take, left out so that the rest could be written. */
      readonly leftOut?: readonly { readonly field: string; readonly message: string }[]
    }
  /** This record alone is refused; calling again does not change it. */
  | { readonly state: 'refused'; readonly code: string; readonly message: string; readonly field: string | null }
  /** Not done; to be sent again, from `at` on where the platform said so. Uses up no try. */
  | {
      readonly state: 'later'
      readonly trouble: DestinationTrouble
      readonly at: Date | null
      readonly message: string
    }
  /** It may have been done: the module asks `find` before it sends again. */
  | { readonly state: 'unknown'; readonly message: string }
)

/** Credentials and settings of one destination, both as their schemas have read them. */
export type Connection<Settings = unknown, Credentials = unknown> = {
  readonly settings: Settings
  readonly credentials: Credentials
  readonly mapping: readonly MappingRow[]
}

/** What an adapter works with. */
export type AdapterParts = {
  readonly call: PlatformCall
  /** Base address of the platform (`LES_HUBSPOT_URL` …), without a slash at its end. */
  readonly baseUrl: string
  /** Where Google gives tokens (`LES_GOOGLE_TOKEN_URL`); the other kinds have no use for it. */
  readonly tokenUrl?: string
  /** Service time. */
  readonly now: Date
  /**
   * For kinds that keep files of a day: the UTC day (`2026-11-28`) of the first try, so that a repeat after midnight finds its own file.
   * That of `now` when left out.
   */
  readonly day?: string
  /** Asked before each call that writes people, by kinds that need several: rejects where the rest of a delivery is not to go as it is. */
  readonly beforeRecord?: () => Promise<void>
}

/** One kind of destination. Every method throws `DestinationFailure` when its platform fails as a whole, and nothing else. */
export interface DestinationAdapter<Settings = unknown, Credentials = unknown> {
  readonly kind: DestinationKind
  /** Strict: an unknown field is refused. */
  readonly settings: z.ZodType<Settings>
  readonly credentials: z.ZodType<Credentials>
  /** The last four characters of the secret. */
  hint(credentials: Credentials): string
  readonly limits: {
    /** Records that one `deliver` takes at most. */
    readonly recordsPerDelivery: number
    /** Calls of one credential at most in a window: four fifths of what the platform allows. */
    readonly calls: number
    readonly windowMs: number
    /** One record a person, updated when facts change; or one message a lead row. */
    readonly per: 'person' | 'lead'
  }
  /** Writing a record again that may have been written already cannot do anything twice. */
  readonly isRepeatable: boolean
  /** Who the credentials belong to and what they may do; refused credentials are `auth_revoked`. */
  check(parts: AdapterParts, connection: Connection<Settings, Credentials>): Promise<Check>
  /** Creates what deliveries need (fields, header row). Doing it again does nothing. */
  prepare(parts: AdapterParts, connection: Connection<Settings, Credentials>): Promise<void>
  /** The platform's fields that a mapping may name; empty for kinds without. */
  fields(parts: AdapterParts, connection: Connection<Settings, Credentials>): Promise<readonly PlatformField[]>
  /** Pure: the bytes by which a document is seen to be unchanged, and what the dry run shows. */
  map(connection: Connection<Settings, Credentials>, document: LeadDocument): Readonly<Record<string, unknown>>
  /**
   * Delivers at most `limits.recordsPerDelivery` records of different people; one outcome a record, also when the platform fails as a
   * whole on the way (`outcomeOf` of `http.ts`): what was written before is not forgotten.
   */
  deliver(
    parts: AdapterParts,
    connection: Connection<Settings, Credentials>,
    records: readonly DeliveryRecord[],
  ): Promise<readonly RecordOutcome[]>
  /** Which of these people are there, by `personKey` (for kinds with one message a lead: by `leadId`); null: cannot be asked. */
  find(
    parts: AdapterParts,
    connection: Connection<Settings, Credentials>,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, RemoteRecord> | null>
  /** Of CRMs: what has become of people, by the ids of their records, at most 100. What cannot be read for want of a scope is left out. */
  readStages?(
    parts: AdapterParts,
    connection: Connection<Settings, Credentials>,
    remoteIds: readonly string[],
  ): Promise<readonly StageRead[]>
  /** Of kinds whose address a customer gives: that address, to be checked as a customer's and reached by the guarded egress alone. */
  customerAddress?(settings: Settings): string | null
  /**
   * Of kinds that keep files of a day: says that the day is whole, and which files are of it (the `id`s of what was delivered on it). Doing
   * it again does nothing; a day that was closed with other files is `request_refused`.
   */
  closeDay?(
    parts: AdapterParts,
    connection: Connection<Settings, Credentials>,
    day: string,
    partKeys: readonly string[],
  ): Promise<void>
}
