/** The outreach platform of a simulation: campaigns, their people, and how often each was added. */
import {
  OutreachFailure,
  type Campaign,
  type OutreachFailureKind,
  type OutreachPlatform,
} from '../../src/providers/outreach/port.ts'
import type { Dice } from './chance.ts'
import { currentTask, pass } from './machine.ts'
import { namesCanary } from './network.ts'

/** How often a person was added. `bySleeper`: once by a task that slept past its lease, which nothing can prevent. */
export type Membership = { times: number; bySleeper: boolean }

export type InventedPlatform = {
  readonly platform: OutreachPlatform
  /** By campaign, then by the person's number. */
  readonly members: ReadonlyMap<string, ReadonlyMap<string, Membership>>
  readonly campaigns: readonly string[]
  /** Probability that a call fails. */
  failing: number
}

/** The canary's key in `members`. */
export const canaryKey = 'canary'

/** The person behind a profile URL; each person has one URL by handle and one by member id. */
export const personAt = (url: string): string =>
  namesCanary(url) ? canaryKey : String(Number(/(?:person-|ACoA)(\d+)/.exec(url)?.[1] ?? Number.NaN))

const kinds: readonly OutreachFailureKind[] = [
  'unavailable',
  'unavailable',
  'unavailable',
  'rate_limited',
  'unreadable',
  'refused',
]

export function openPlatform(dice: Dice): InventedPlatform {
  const members = new Map<string, Map<string, Membership>>([
    ['101', new Map()],
    ['102', new Map()],
  ])
  const campaign = (id: string): Campaign => ({ id, name: `Campaign ${id}`, status: 'IN_PROGRESS', accountIds: [1] })
  const fail = (kind: OutreachFailureKind, done: 'no' | 'maybe'): never => {
    throw new OutreachFailure({ kind, done, message: `the invented platform: ${kind}` })
  }
  const ask = async (operation: string): Promise<void> => {
    await pass('network', operation)
    if (dice.random(invented.failing)) fail(dice.pick(['unavailable', 'rate_limited']), 'no')
  }
  const invented: InventedPlatform = {
    members,
    campaigns: [...members.keys()],
    failing: 0,
    platform: {
      checkKey: () => ask('check key'),
      listCampaigns: async () => {
        await ask('campaigns')
        return [...members.keys()].map(campaign)
      },
      findCampaign: async (_key, id) => {
        await ask('campaign')
        return members.has(id) ? campaign(id) : undefined
      },
      addLeads: async (_key, id, leads) => {
        await pass('network', 'add leads')
        const failing = dice.random(invented.failing)
        const kind = dice.pick(kinds)
        if (failing && (kind === 'refused' || kind === 'rate_limited')) fail(kind, 'no')
        // A lost answer: the platform may or may not have added them.
        if (failing && dice.random(0.5)) fail(kind, 'maybe')
        const of = members.get(id)!
        const before = of.size
        for (const { profileUrl } of leads) {
          const known = of.get(personAt(profileUrl)) ?? { times: 0, bySleeper: false }
          known.times += 1
          known.bySleeper ||= currentTask.getStore()?.slept ?? false
          of.set(personAt(profileUrl), known)
        }
        if (failing) fail(kind, 'maybe')
        const added = of.size - before
        return { added, updated: leads.length - added, failed: 0 }
      },
      findMembers: async (_key, id, urls) => {
        await ask('members')
        return new Set(urls.filter((url) => members.get(id)!.has(personAt(url))))
      },
      readProgress: async () => {
        await ask('progress')
        return { members: [], next: null }
      },
    },
  }
  return invented
}
