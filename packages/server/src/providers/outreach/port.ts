/** The port of outreach platforms. A second platform is another adapter of `OutreachPlatform` and a line in the composition. */
import { type FailureDetails, OutsideFailure } from '../failure.ts'
import type { CallOptions } from '../ports.ts'

export { profileKey, readProfileUrl, type ProfileName } from './profiles.ts'

/** Why a platform did not do what was asked. */
export type OutreachFailureKind =
  | 'invalid_key'
  | 'campaign_closed'
  /** Refused for a reason that a repetition does not change. */
  | 'refused'
  /** Too many calls; nothing was done. */
  | 'rate_limited'
  /** No answer, a 5xx, a cut connection, or a timeout. */
  | 'unavailable'
  /** The answer does not have the expected shape. */
  | 'unreadable'

/** A failure of a platform. The message may be logged: it contains no key. */
export class OutreachFailure extends OutsideFailure {
  override readonly name = 'OutreachFailure'
  override readonly kind: OutreachFailureKind
  /** `maybe`: the platform may have done what was asked. */
  readonly done: 'no' | 'maybe'
  constructor(about: FailureDetails & { readonly kind: OutreachFailureKind; readonly done?: 'no' | 'maybe' }) {
    super(about)
    this.kind = about.kind
    this.done = about.done ?? 'no'
  }
}

/** Campaign states in the specification's words; FINISHED, CANCELED and FAILED are over, UNKNOWN is any other. */
export const campaignStatuses = [
  'IN_PROGRESS',
  'PAUSED',
  'DRAFT',
  'SCHEDULED',
  'STARTING',
  'FINISHED',
  'CANCELED',
  'FAILED',
  'UNKNOWN',
] as const

type CampaignStatus = (typeof campaignStatuses)[number]

export type Campaign = {
  readonly id: string
  readonly name: string
  readonly status: CampaignStatus
  readonly accountIds: readonly number[]
}

/** What is sent about a person; null where unknown. */
export type OutreachLead = {
  readonly profileUrl: string
  readonly name: string | null
  readonly headline: string | null
  readonly jobTitle: string | null
  readonly company: string | null
  readonly country: string | null
  readonly email: string | null
  /** Names use letters, digits and underscores; values are never empty. */
  readonly customFields: Readonly<Record<string, string>>
}

/** The outcome of a batch; the sum is its size. The platform does not say which leads failed. */
export type AddCounts = { readonly added: number; readonly updated: number; readonly failed: number }

export type MemberProgress = {
  readonly profileUrl: string
  readonly connection: 'none' | 'sent' | 'accepted'
  readonly message: 'none' | 'sent' | 'replied'
  /** When the platform last did or saw something; null if not given. */
  readonly lastActionAt: Date | null
}

/** A page of people; `next` is the offset of the following page, null after the last. */
export type ProgressPage = { readonly members: readonly MemberProgress[]; readonly next: number | null }

/** The most leads per call of `addLeads`. */
export const leadsPerCall = 100

/** An outreach platform; `key` is the team's. All methods throw `OutreachFailure` instead of returning partial results. */
export interface OutreachPlatform {
  checkKey(key: string, options?: CallOptions): Promise<void>
  /** All campaigns that are not over. */
  listCampaigns(key: string, options?: CallOptions): Promise<readonly Campaign[]>
  /** One campaign, even if over; undefined when there is none. */
  findCampaign(key: string, id: string, options?: CallOptions): Promise<Campaign | undefined>
  /** Adds 1 to 100 people; never resumes a paused campaign. Make sure it is not over: adding would restart it. */
  addLeads(key: string, campaignId: string, leads: readonly OutreachLead[], options?: CallOptions): Promise<AddCounts>
  /** Which of the profiles are in a campaign, by the URLs given; people just added may not show yet. */
  findMembers(
    key: string,
    campaignId: string,
    profileUrls: readonly string[],
    options?: CallOptions,
  ): Promise<ReadonlySet<string>>
  /** A page of the people's progress; empty when there is no such campaign. */
  readProgress(key: string, campaignId: string, offset: number, options?: CallOptions): Promise<ProgressPage>
}
