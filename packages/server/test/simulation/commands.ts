import { ProviderFailure } from '../../src/providers/ports.ts'
import type { Dice } from './chance.ts'
import { canary, handleOf, type Invented } from './network.ts'
import type { Core, ClockTimes } from './service.ts'

export type SimTeam = { readonly id: string; readonly name: string; readonly hooks: number }

export type SimSource = {
  readonly id: string
  readonly type: 'person' | 'company' | 'keyword'
  readonly username: string
  readonly status: string
}

/** A command to run as a task; returns its outcome as text. */
export type Command = { readonly name: string; readonly run: () => Promise<string> }

/** Commands of every history, with their weights. */
export const commandWeights = {
  track: 30,
  sync: 12,
  untrack: 8,
  webhook: 14,
  enrich: 12,
  topup: 4,
  standing: 5,
  capture: 1,
  read: 4,
  buy: 5,
}

export type CommandKind = keyof typeof commandWeights

const day = 86_400_000

function trackBody(dice: Dice, handle: string): Record<string, unknown> {
  const some = <T>(p: number, value: () => T): T | undefined => (dice.random(p) ? value() : undefined)
  const postsOnly = dice.random(0.2)
  const body = {
    username: handle,
    saveTrackedProfile: true,
    ...(postsOnly
      ? { mode: 'posts_only', postsPerSync: dice.int(1, 6), confirmSpend: true }
      : dice.random(0.15)
        ? { mode: 'engagers', confirmSpend: true }
        : {}),
    creditCapPerSync: some(0.3, () => (dice.random(0.2) ? null : dice.int(1, 12))),
    firstSyncPosts: some(0.35, () => dice.int(1, 8)),
    firstSyncDays: postsOnly ? undefined : some(0.15, () => dice.int(1, 60)),
    captureReplies: postsOnly ? undefined : some(0.3, () => dice.random(0.5)),
    enrichLeads: postsOnly ? undefined : some(0.25, () => dice.random(0.4)),
  }
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
}

/** Draws a command for a team; `sources` are the team's. */
export function drawCommand(parts: {
  core: Core
  dice: Dice
  clockTimes: ClockTimes
  invented: Invented
  team: SimTeam
  sources: readonly SimSource[]
  kind: CommandKind
  serial: number
}): Command {
  const { core, dice, invented, team, sources, kind } = parts
  const call = async (...args: Parameters<Core['call']>): Promise<string> => {
    try {
      const result = await core.call(...args)
      return 'refused' in result ? `refused ${result.refused}` : 'done'
    } catch (error) {
      if (error instanceof ProviderFailure) return 'refused 502'
      throw error
    }
  }
  const source = sources.length > 0 ? dice.pick(sources) : undefined
  const operation = (type: 'person' | 'company', person: string, company: string) =>
    (type === 'person' ? person : company) as never
  const named = sources.filter((each): each is SimSource & { type: 'person' | 'company' } => each.type !== 'keyword')
  const name = (detail: string) => `${team.name} ${kind} ${detail}`
  const track = (): Command => {
    const author = dice.pick(invented.authors)
    const again = named.length > 0 && dice.random(0.3) ? dice.pick(named) : undefined
    const handle = again?.username ?? (dice.random(0.06) ? dice.pick(invented.ghosts) : author.handle)
    // The canary is never tracked as a company page, because then it would not be a person.
    const isSwapped = dice.random(0.05) && handle !== canary.handle
    const type = isSwapped ? (author.type === 'person' ? 'company' : 'person') : (again?.type ?? author.type)
    const body = trackBody(dice, handle)
    return {
      name: name(`${type} ${JSON.stringify(body)}`),
      run: () => call(team.id, operation(type, 'enrichProfile', 'enrichCompany'), body),
    }
  }
  switch (kind) {
    case 'track':
      return track()
    case 'sync':
      return source
        ? { name: name(source.username), run: () => call(team.id, 'startSourceSync', {}, { id: source.id }) }
        : track()
    case 'untrack':
      return source
        ? {
            name: name(source.username),
            run: () =>
              source.type === 'keyword'
                ? call(team.id, 'untrackKeyword', {}, { id: source.id })
                : call(
                    team.id,
                    operation(source.type, 'untrackProfile', 'untrackCompany'),
                    {},
                    { username: source.username },
                  ),
          }
        : track()
    case 'webhook': {
      if (!source) return track()
      const url = `https://hook-${dice.int(1, team.hooks)}.example.com/${source.username === canary.handle ? 'writer' : source.username}`
      const body = dice.weighted({ set: 7, clear: 2, off: 1, on: 1, events: 2 })
      const change = {
        set: { webhookUrl: url },
        clear: { webhookUrl: null },
        off: { autoSend: false },
        on: { autoSend: true, webhookUrl: url },
        events: { webhookUrl: url, syncEvents: true },
      }[body]
      return {
        name: name(`${source.username} ${JSON.stringify(change)}`),
        run: () => call(team.id, 'updateSourceWebhook', change, { id: source.id }),
      }
    }
    case 'enrich': {
      const company = dice.random(0.25)
      const username = company ? dice.pick(invented.slugs) : handleOf(dice.int(0, invented.people.length))
      return {
        name: name(username),
        run: () =>
          call(team.id, operation(company ? 'company' : 'person', 'enrichProfile', 'enrichCompany'), { username }),
      }
    }
    case 'topup': {
      const amount = dice.int(1, 15)
      return {
        name: name(String(amount)),
        run: async () => (await core.grant(team.id, amount, `sim-${parts.serial}`), 'done'),
      }
    }
    case 'standing': {
      const status = dice.weighted({ active: 5, expired: 3, trial: 1 })
      const trialEndsAt =
        status === 'trial' ? { trialEndsAt: new Date(parts.clockTimes.serviceMs + dice.int(1, 9) * day) } : {}
      return {
        name: name(status),
        run: async () => (await core.changeTeam(team.id, { status, ...trialEndsAt }), 'done'),
      }
    }
    case 'capture': {
      const captureAllowed = dice.random(0.7)
      return {
        name: name(String(captureAllowed)),
        run: async () => (await core.changeTeam(team.id, { captureAllowed }), 'done'),
      }
    }
    case 'buy': {
      const posts = dice.int(1, 9)
      const author = dice.pick(invented.authors)
      const handle = dice.random(0.1) ? dice.pick(invented.ghosts) : author.handle
      return {
        name: name(`${posts} posts of ${handle}`),
        run: () =>
          call(
            team.id,
            operation(author.type === 'company' ? 'company' : 'person', 'readProfilePosts', 'readCompanyPosts'),
            { posts, confirmSpend: true },
            { username: handle },
          ),
      }
    }
    case 'read': {
      const sync = source && dice.random(0.5)
      return sync
        ? { name: name(`sync ${source.username}`), run: () => call(team.id, 'getSourceSync', {}, { id: source.id }) }
        : { name: name('credits'), run: () => call(team.id, 'getCredits', {}) }
    }
  }
}
