/**
 * What the service asks of an outreach platform, in the service's own words. A second platform is one more adapter of
 * `OutreachPlatform` and one line in compose.
 */
import { type FailureDetails, OutsideFailure } from '../failure.ts'
import type { CallOptions } from '../ports.ts'

export { profileKey, readProfileUrl, type ProfileName } from './profiles.ts'

/** Why a platform did not do what it was asked. */
export type OutreachFailureKind =
  /** The team's key was refused. */
  | 'invalid_key'
  /** The campaign takes no leads in the state it is in. */
  | 'campaign_closed'
  /** Refused for another reason that calling again does not change. */
  | 'refused'
  /** Too many calls; nothing was done. */
  | 'rate_limited'
  /** No answer, a 5xx, a cut connection, a time-out. */
  | 'unavailable'
  /** An answer that does not have the promised shape. */
  | 'unreadable'

/** A platform failed. The message is fit for a log: it carries no key. */
export class OutreachFailure extends OutsideFailure {
  override readonly name = 'OutreachFailure'
  override readonly kind: OutreachFailureKind
  /** `maybe`: the platform may have done what was asked before it failed. */
  readonly done: 'no' | 'maybe'
  constructor(about: FailureDetails & { readonly kind: OutreachFailureKind; readonly done?: 'no' | 'maybe' }) {
    super(about)
    this.kind = about.kind
    this.done = about.done ?? 'no'
  }
}

/** How far a campaign is, in the specification's words; three are over, and UNKNOWN is every state that the platform has besides. */
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

/** One of them. */
type CampaignStatus = (typeof campaignStatuses)[number]

/** A campaign as the platform shows it. */
export type Campaign = {
  readonly id: string
  readonly name: string
  readonly status: CampaignStatus
  readonly accountIds: readonly number[]
}

/** What is sent about a person besides the profile; null where nothing is known. */
export type OutreachLead = {
  readonly profileUrl: string
  readonly name: string | null
  readonly headline: string | null
  readonly jobTitle: string | null
  readonly company: string | null
  readonly country: string | null
  readonly email: string | null
  /** Names of letters, digits and underscores; values are never empty. */
  readonly customFields: Readonly<Record<string, string>>
}

/** What became of a batch; the three add up to its size. The platform does not say which lead failed. */
export type AddCounts = { readonly added: number; readonly updated: number; readonly failed: number }

/** How far somebody in a campaign is. */
export type MemberProgress = {
  readonly profileUrl: string
  readonly connection: 'none' | 'sent' | 'accepted'
  readonly message: 'none' | 'sent' | 'replied'
  /** When the platform last did or saw something; null when it does not say. */
  readonly lastActionAt: Date | null
}

/** Some of the people of a campaign; `next` is where the following page begins, null when this was the last. */
export type ProgressPage = { readonly members: readonly MemberProgress[]; readonly next: number | null }

/** Leads that one call of `addLeads` takes at most. */
export const leadsPerCall = 100

/** An outreach platform. `key` is the team's own. All methods throw `OutreachFailure`, never answer half. */
export interface OutreachPlatform {
  /** Resolves when the key is good; fails as `invalid_key` when it is not. */
  checkKey(key: string, options?: CallOptions): Promise<void>
  /** Every campaign that is not over. */
  listCampaigns(key: string, options?: CallOptions): Promise<readonly Campaign[]>
  /** One campaign, also when it is over; undefined when there is none. */
  findCampaign(key: string, id: string, options?: CallOptions): Promise<Campaign | undefined>
  /**
   * Adds 1 to 100 people to a campaign; never resumes a paused one. The caller has made sure that it is not over: adding
   * would restart it.
   */
  addLeads(key: string, campaignId: string, leads: readonly OutreachLead[], options?: CallOptions): Promise<AddCounts>
  /** Which of these profiles are in a campaign, by the addresses given; people added a moment ago may not show yet. */
  findMembers(
    key: string,
    campaignId: string,
    profileUrls: readonly string[],
    options?: CallOptions,
  ): Promise<ReadonlySet<string>>
  /** A page of how far the people of a campaign are; nobody when there is no such campaign. */
  readProgress(key: string, campaignId: string, offset: number, options?: CallOptions): Promise<ProgressPage>
}
