/** Compares a file with a team and plans the calls, with their maximum cost. Pure. */
import { initialSearch, type OperationId } from '@les/contract'
import type { Current, CurrentSource } from './current.ts'
import { listChanges, type ListChange } from './exclusions.ts'
import {
  bodyOfSection,
  identityOf,
  sectionNames,
  sections,
  settable,
  tracking,
  type Declared,
  type DeclaredSource,
  type Fields,
  type Section,
} from './document.ts'

type Change = { readonly field: string; readonly from: unknown; readonly to: unknown }

const unwrapId = (value: unknown): unknown => (typeof value === 'string' ? value.replace(/^urn:li:\w+:/, '') : value)

/** Compares settings; lists of ids are unordered, and an id may be a URN. */
export function isSame(one: unknown, other: unknown, unordered: boolean): boolean {
  if (Array.isArray(one) && Array.isArray(other) && unordered) {
    const sorted = (list: unknown[]) => JSON.stringify(list.map(unwrapId).map(String).sort())
    return sorted(one) === sorted(other)
  }
  return canonical(one) === canonical(other)
}

function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    ) ?? 'undefined'
  )
}

/** Targeting filters, which are unordered lists. */
const unordered = /^(?:from|mentions|author)/

function changesOf(wanted: Fields, now: Fields): Change[] {
  return Object.entries(wanted)
    .filter(([field, to]) => !isSame(to ?? null, now[field] ?? null, unordered.test(field)))
    .map(([field, to]) => ({ field, from: now[field] ?? null, to }))
}

/** One planned call. */
export type Step = {
  readonly sign: '+' | '~' | '-'
  readonly what: string
  readonly changes: readonly Change[]
  readonly operationId: OperationId
  readonly input: Fields
  /** The source the call needs; its id is filled in later if an earlier step creates it. */
  readonly ofSource?: string
  /** The source this step starts to track, by `identityOf`. */
  readonly tracks?: string
  /** The most it can cost per day; `unlimited` when no limit applies. */
  readonly dailyCredits: number | 'unlimited'
  readonly spends: boolean
}

/** Steps in the order they are carried out. */
export type Plan = {
  readonly steps: readonly Step[]
  /** Tracked sources missing from the file; kept unless pruning is requested. */
  readonly notDeclared: readonly CurrentSource[]
  /** Differences that cannot be changed on a tracked source. */
  readonly fixed: readonly string[]
  readonly exclusions: readonly ListChange[]
}

const nameOf = ({ key, name }: Pick<DeclaredSource, 'key' | 'name'>): string =>
  `${key === 'expression' ? 'search' : key} ${[name].flat().join(', ')}`

const free = { dailyCredits: 0, spends: false } as const

/** Only used by the first sync, so never changed later. */
const onlyAtFirst = new Set(['firstSyncPosts', 'firstSyncDays'])

function dailyOf(source: DeclaredSource, settings: Fields): number | 'unlimited' {
  if (settings.mode === 'posts_only') return Number(settings.postsPerSync ?? 0)
  if (source.key === 'search' || source.key === 'expression')
    return Number(settings.creditCap ?? initialSearch.creditCap)
  return settings.creditCapPerSync === undefined || settings.creditCapPerSync === null
    ? 'unlimited'
    : Number(settings.creditCapPerSync)
}

/**
 * Changes that the service confirms whatever they cost: another mode (of a person or company only back to engagers), capturing
 * engagers again, a higher `creditCap` or `postsPerSync`.
 */
const needsYes =
  (isSearch: boolean) =>
  ({ field, from, to }: Change): boolean => {
    if (field === 'mode') return isSearch || to === 'engagers'
    if (field === 'captureEngagers') return to === true
    return (field === 'creditCap' || field === 'postsPerSync') && typeof from === 'number' && Number(to) > from
  }

function editOf(source: DeclaredSource, current: CurrentSource, fixed: string[]): Step[] {
  const operationId = tracking[source.key].edit
  const changes = changesOf(
    Object.fromEntries(Object.entries(source.settings).filter(([field]) => !onlyAtFirst.has(field))),
    current.row,
  )
  const known = operationId === null ? [] : Object.keys(settable(operationId))
  const possible = changes.filter(({ field }) => known.includes(field))
  fixed.push(
    ...changes
      .filter((change) => !possible.includes(change))
      .map(({ field }) => `${nameOf(source)}: ${field} is set when tracking begins; untrack it first`),
  )
  if (operationId === null || possible.length === 0) return []
  const fields = Object.fromEntries(possible.map(({ field, to }) => [field, to]))
  const isSearch = operationId === 'editKeyword'
  // The service accepts mode `posts_only` and its number of posts only together.
  if (!isSearch && source.settings.mode === 'posts_only' && ('mode' in fields || 'postsPerSync' in fields))
    Object.assign(fields, { mode: 'posts_only', postsPerSync: source.settings.postsPerSync })
  const [before, after] = [dailyOf(source, current.row), dailyOf(source, { ...current.row, ...fields })]
  const more = before === 'unlimited' ? 0 : after === 'unlimited' ? after : Math.max(0, after - before)
  const of = isSearch ? { id: current.id } : { username: source.name }
  return [
    {
      sign: '~',
      what: nameOf(source),
      changes: possible,
      operationId,
      input: { ...of, ...fields },
      dailyCredits: more,
      spends: more !== 0 || possible.some(needsYes(isSearch)),
    },
  ]
}

function changesOfSection(section: Section, wanted: Fields | null, now: Fields | null | undefined): Change[] {
  if (wanted !== null) return changesOf({ ...wanted, ...(wanted.url === '' ? { url: null } : {}) }, now ?? {})
  const isThere = section === 'webhook' ? Boolean(now?.url) : (now ?? null) !== null
  return isThere ? [{ field: section, from: now, to: null }] : []
}

function sectionSteps(source: DeclaredSource, current: CurrentSource | undefined): Step[] {
  return sectionNames.flatMap((section): Step[] => {
    const wanted = source[section]
    if (wanted === undefined) return []
    const changes = changesOfSection(section, wanted, current?.[section])
    if (changes.length === 0) return []
    const cleared: Fields = section === 'webhook' ? { url: '' } : { campaignId: null }
    const differs = ([field]: [string, unknown]) => changes.some((change) => change.field === field)
    // Outreach is replaced as a whole; other sections are patched.
    const isPartial = wanted !== null && section !== 'outreach'
    const sent = isPartial ? Object.fromEntries(Object.entries(wanted).filter(differs)) : (wanted ?? cleared)
    return [
      {
        ...free,
        sign: '~',
        what: `${section} of ${nameOf(source)}`,
        changes,
        operationId: sections[section],
        input: { ...(current ? { id: current.id } : {}), ...bodyOfSection(section, sent) },
        ...(current ? {} : { ofSource: identityOf(source) }),
      },
    ]
  })
}

function untrackStep(source: CurrentSource): Step {
  const isSearch = source.key === 'search' || source.key === 'expression'
  const input = source.key === 'post' ? { urn: source.name } : isSearch ? { id: source.id } : { username: source.name }
  return { sign: '-', what: nameOf(source), changes: [], operationId: tracking[source.key].untrack, input, ...free }
}

export function planOf(declared: Declared, current: Current, prune: boolean): Plan {
  const fixed: string[] = []
  const steps = declared.sources.flatMap((source): Step[] => {
    const there = current.sources.get(identityOf(source))
    if (there) return [...editOf(source, there, fixed), ...sectionSteps(source, there)]
    const { operationId, body } = tracking[source.key]
    const input = body(source)
    const made: Step = {
      sign: '+',
      what: nameOf(source),
      changes: Object.entries(source.settings).map(([field, to]) => ({ field, from: null, to })),
      operationId,
      input,
      tracks: identityOf(source),
      dailyCredits: dailyOf(source, input),
      spends: true,
    }
    return [made, ...sectionSteps(source, undefined)]
  })
  const names = new Set(declared.sources.map(identityOf))
  const notDeclared = [...current.sources.values()].filter((source) => !names.has(identityOf(source)))
  const agent = declared.agent === undefined ? [] : changesOf(declared.agent, current.agent ?? {})
  const agentStep: Step[] =
    agent.length === 0
      ? []
      : [
          {
            sign: current.agent === undefined ? '+' : '~',
            what: 'agent',
            changes: agent,
            operationId: 'updateAgent',
            input: Object.fromEntries(agent.map(({ field, to }) => [field, to])),
            ...free,
          },
        ]
  return {
    steps: [...steps, ...agentStep, ...(prune ? notDeclared.map(untrackStep) : [])],
    notDeclared: prune ? [] : notDeclared,
    fixed,
    exclusions: listChanges(declared.exclusions, current.exclusions ?? new Map()),
  }
}

/** The most a plan can cost per day, beyond current spending. */
export function costOf({ steps }: Pick<Plan, 'steps'>): {
  readonly atMost: number
  readonly unlimited: readonly string[]
} {
  return {
    atMost: steps.reduce((sum, { dailyCredits }) => sum + (dailyCredits === 'unlimited' ? 0 : dailyCredits), 0),
    unlimited: steps.filter(({ dailyCredits }) => dailyCredits === 'unlimited').map(({ what }) => what),
  }
}
