/** What customers do besides tracking people: searches, Discover, agents, campaigns, keys and team membership. */
import type { OperationId } from '@les/contract'
import type { Dice } from './chance.ts'
import type { Command, SimSource, SimTeam } from './commands.ts'
import { currentTask } from './machine.ts'
import type { Invented } from './network.ts'
import { privacyCommand } from './privacy-commands.ts'
import type { Called, Core, SimPerson } from './service.ts'

/** These commands with their weights, for histories with all of them. */
export const featureWeights = {
  search: 14,
  editSearch: 4,
  findPeople: 10,
  forget: 3,
  agentSet: 6,
  agentStart: 6,
  agentStop: 2,
  key: 4,
  rule: 8,
  send: 6,
  person: 12,
  erase: 5,
  exclude: 4,
  makeExport: 5,
  addDestination: 5,
  result: 4,
  searchAbout: 4,
  sendByName: 4,
}

export type FeatureKind = keyof typeof featureWeights

/** Themes: the commands that a history has in addition to those of every history. */
export const themes = {
  tracking: [],
  searches: ['search', 'editSearch', 'key'],
  discover: ['findPeople', 'forget'],
  agents: ['agentSet', 'agentStart', 'agentStop', 'search'],
  campaigns: ['rule', 'send', 'key', 'search'],
  people: ['person'],
  privacy: [
    ...['erase', 'exclude', 'makeExport', 'addDestination', 'result', 'searchAbout', 'sendByName'],
    ...['rule', 'send', 'search', 'findPeople'],
  ] as FeatureKind[],
  everything: [
    ...['search', 'editSearch', 'findPeople', 'forget', 'agentSet', 'agentStart', 'agentStop', 'key'],
    ...['rule', 'send', 'person'],
  ] as FeatureKind[],
} as const satisfies Record<string, readonly FeatureKind[]>

/** What a command may refer to when it is drawn. */
export type Surroundings = {
  readonly core: Core
  readonly dice: Dice
  readonly invented: Invented
  readonly team: SimTeam
  readonly sources: readonly SimSource[]
  readonly people: readonly SimPerson[]
  readonly campaigns: readonly string[]
  /** Ids of the team's Discover runs, some of its leads, and its members. */
  readonly runs: readonly string[]
  readonly leads: readonly string[]
  readonly accepted: Set<string>
}

const outcome = (called: Called): string => ('refused' in called ? `refused ${called.refused}` : 'done')
const defined = (body: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))

function searchBody({ dice, invented }: Surroundings): Record<string, unknown> {
  const some = <T>(p: number, value: () => T): T | undefined => (dice.random(p) ? value() : undefined)
  const { terms } = invented.search
  const first = dice.pick(terms)
  const postsOnly = dice.random(0.2)
  const ai = dice.random(0.35)
  return defined({
    keywords: dice.random(0.3) ? [...new Set([first, dice.pick(terms)])].sort() : [first],
    creditCap: dice.pick([1, 4, 12, 200]),
    captureMode: 'depth',
    datePosted: 'PAST_MONTH',
    confirmSpend: true,
    confirmChanges: true,
    mode: postsOnly ? 'posts_only' : undefined,
    postsPerSync: postsOnly ? dice.int(1, 6) : undefined,
    capturePostAuthors: postsOnly ? undefined : some(0.3, () => true),
    runOnce: some(0.15, () => true),
    aiProvider: ai ? 'openai' : undefined,
    aiPrompt: ai ? 'Keep what is about fruit' : undefined,
  })
}

const agentTopics = (dice: Dice, terms: readonly string[]): string[] => [
  ...new Set([dice.pick(terms), dice.pick(terms)]),
]

/** Draws a command; null if the team has nothing to apply it to. */
export function drawFeature(kind: FeatureKind, around: Surroundings): Command | null {
  const { core, dice, invented, team, sources } = around
  const name = (detail: string) => `${team.name} ${kind} ${detail}`
  const of = (
    operation: OperationId,
    body: Record<string, unknown>,
    params: Record<string, string> = {},
    shown = body,
  ): Command => ({
    name: name(`${Object.values(params).join(' ')} ${JSON.stringify(shown)}`),
    run: async () => outcome(await core.call(team.id, operation, body, params)),
  })
  const owned = sources.filter((source) => source.status === 'active')
  switch (kind) {
    case 'search':
      return of('trackKeyword', searchBody(around))
    case 'editSearch': {
      const searches = owned.filter((source) => source.type === 'keyword')
      return searches.length === 0
        ? of('trackKeyword', searchBody(around))
        : of('editKeyword', { creditCap: dice.pick([2, 8, 300]), confirmSpend: true }, { id: dice.pick(searches).id })
    }
    case 'findPeople':
      return of(
        'startDiscover',
        defined({
          keywords: agentTopics(dice, invented.search.terms),
          countries: dice.random(0.4) ? [dice.pick(['Norway', 'Norway', 'Germany'])] : undefined,
          minEngagement: dice.random(0.3) ? dice.int(0, 5) : undefined,
          maxInfluencers: dice.int(1, 6),
          confirmSpend: true,
        }),
      )
    case 'forget':
      return around.runs.length === 0 ? null : of('deleteDiscoverRun', {}, { id: dice.pick(around.runs) })
    case 'agentSet':
      return of(
        'updateAgent',
        defined({
          topics: agentTopics(dice, invented.search.terms),
          dailyCredits: dice.pick([50, 80]),
          webhook: dice.random(0.3) ? { url: `https://hook-1.example.com/agent` } : undefined,
        }),
      )
    case 'agentStart':
      return of('startAgent', { confirmSpend: true })
    case 'agentStop':
      return of('stopAgent', {})
    case 'key':
      return keyCommand(around, name)
    case 'rule': {
      const source = owned.length > 0 ? dice.pick(owned) : undefined
      if (!source) return null
      const campaignId = dice.random(0.15) ? null : dice.pick(around.campaigns)
      const body = campaignId === null ? { campaignId } : { campaignId, pushHistoric: dice.random(0.5) }
      return of('updateSourceOutreach', body, { id: source.id })
    }
    case 'send': {
      const leadIds = around.leads.filter(() => dice.random(0.5))
      return leadIds.length === 0
        ? null
        : of('sendLeads', { campaignId: dice.pick(around.campaigns), leadIds }, {}, { leadIds: leadIds.length })
    }
    case 'person':
      return personCommand(around, name)
    default:
      return privacyCommand(kind, around)
  }
}

/** How many changes are in progress and how many ever began, by team and kind of key. */
const keyChanges = new WeakMap<Surroundings['team'], Map<string, { underWay: number; begun: number }>>()

function keyChangesOf(team: Surroundings['team'], kind: string) {
  const ofTeam = keyChanges.get(team) ?? new Map<string, { underWay: number; begun: number }>()
  keyChanges.set(team, ofTeam)
  const changes = ofTeam.get(kind) ?? { underWay: 0, begun: 0 }
  ofTeam.set(kind, changes)
  return changes
}

/** A removed key must be gone, unless another change has stored it in the meantime. */
function keyCommand({ core, dice, team }: Surroundings, name: (detail: string) => string): Command {
  const kind = dice.pick(['openai', 'outreach', 'outreach'] as const)
  const key = dice.random(0.25) ? null : `key-${team.name}-${kind}`
  return {
    name: name(`${kind} ${key === null ? 'taken away' : 'stored'}`),
    run: async () => {
      const changes = keyChangesOf(team, kind)
      const alone = changes.underWay === 0
      const own = (changes.begun += 1)
      changes.underWay += 1
      try {
        const kept = await core.setKey(team.id, kind, key)
        const undisturbed = alone && changes.begun === own
        if (undisturbed && key === null && kept !== null) {
          throw new Error(`the ${kind} key was taken away and is still there`)
        }
        return 'done'
      } finally {
        changes.underWay -= 1
      }
    },
  }
}

function personCommand(around: Surroundings, name: (detail: string) => string): Command {
  const { core, dice, team, people, accepted } = around
  const role = dice.pick(['owner', 'member', 'viewer'])
  const step = dice.weighted({ open: 4, invite: 5, accept: 8, role: 3, remove: 3, leave: 4, revoke: 1 })
  const about = dice.pick(people)
  // Mostly people who may: the invited person accepts, and the team's owner decides about others.
  const invited = people.find(({ email }) => email === core.invitations.at(-1)?.to)
  const likely =
    step === 'accept' ? invited : step === 'invite' || step === 'remove' || step === 'role' ? people[0] : undefined
  const by = likely && dice.random(0.8) ? likely : dice.pick(people)
  const as = async (operation: string, input: Record<string, unknown>, teamId?: string) =>
    outcome(await core.callAs(by, operation, input, teamId))
  const run: Record<typeof step, () => Promise<string>> = {
    open: () => as('createTeam', { name: 'Opened by a person' }),
    invite: () => as('inviteMember', { email: about.email, role }, team.id),
    accept: async () => {
      const invitation = core.invitations.findLast(({ to }) => to === by.email)
      if (!invitation) return 'nothing to accept'
      const done = await as('acceptInvitation', { token: invitation.token })
      if (done !== 'done') return done
      if (accepted.has(invitation.token)) throw new Error('an invitation let somebody in twice')
      accepted.add(invitation.token)
      return done
    },
    role: () => as('changeMemberRole', { userId: about.id, role }, team.id),
    remove: async () => {
      const done = await as('removeMember', { userId: about.id }, team.id)
      if (done !== 'done') return done
      // In a race another task may have let them in again.
      if (currentTask.getStore()?.race) return done
      const again = await core.callAs(about, 'leaveTeam', {}, team.id)
      if (!('refused' in again)) throw new Error('somebody who was removed is a member still')
      return done
    },
    leave: () => as('leaveTeam', {}, team.id),
    revoke: async () => {
      const invitation = core.invitations.at(-1)
      if (!invitation) return 'nothing to revoke'
      const opened = await core.callAs(by, 'readInvitation', { token: invitation.token })
      return outcome(opened)
    },
  }
  return { name: name(`${by.id} ${step} ${about.id} ${role}`), run: run[step] }
}
