/** Pure: what defaults change on a source, in words, and what that costs in credits a day (decision 0019). */
import {
  defaultParts,
  type Answer,
  type DefaultPart,
  type FilterRow,
  type MatchMode,
  type SessionOperationOf,
} from '@les/contract'
import { dailyMax } from '../../../sources/rules/settings.ts'

type Preview = Answer<SessionOperationOf<'previewDefaults'>>['rows'][number]

export type Parts = {
  readonly webhook: {
    readonly url: string
    readonly icpOnly: boolean
    readonly autoSend: boolean
    readonly syncEvents: boolean
  } | null
  readonly criteria: { readonly rules: FilterRow[]; readonly matchMode: MatchMode } | null
  readonly outreach: {
    readonly campaignId: string
    readonly campaignName: string
    readonly autoSend: boolean
    readonly filters: FilterRow[]
  } | null
  readonly cap: { readonly credits: number | null } | null
}

export const noParts: Parts = { webhook: null, criteria: null, outreach: null, cap: null }

export type SetSource = {
  readonly id: string
  readonly type: 'person' | 'company' | 'post' | 'keyword'
  readonly label: string
  readonly mode: 'engagers' | 'posts_only'
  readonly postsPerSync: number | null
  /** Created by an agent, which controls its settings. */
  readonly ofAgent: boolean
  readonly leads: number
  readonly webhook: (NonNullable<Parts['webhook']> & { readonly isDisabled: boolean }) | null
  readonly criteria: Parts['criteria']
  readonly outreach: (NonNullable<Parts['outreach']> & { readonly isPaused: boolean }) | null
  readonly cap: number | null
}

type Kept = Preview['kept'][number]['reason']

export type Difference = {
  readonly source: SetSource
  readonly changes: readonly Preview['changes'][number][]
  readonly kept: readonly Preview['kept'][number][]
}

/** The defaults of a kind: its own parts, else those of all kinds. */
export const partsFor = (of: Parts | undefined, all: Parts | undefined): Parts => ({
  webhook: of?.webhook ?? all?.webhook ?? null,
  criteria: of?.criteria ?? all?.criteria ?? null,
  outreach: of?.outreach ?? all?.outreach ?? null,
  cap: of?.cap ?? all?.cap ?? null,
})

const rowsKey = (rows: readonly FilterRow[]): string =>
  JSON.stringify(rows.map(({ column, operator, value }) => [column, operator, value ?? null]))
const rowsOf = (count: number): string => `${count} ${count === 1 ? 'row' : 'rows'}`
const joined = (...words: readonly (string | false)[]): string => words.filter((word) => word !== false).join(', ')

const webhookWords = (webhook: Parts['webhook']): string =>
  webhook === null
    ? 'none'
    : joined(
        webhook.url,
        webhook.icpOnly && 'only leads that fit',
        !webhook.autoSend && 'on push only',
        webhook.syncEvents && 'tells when a sync ends',
      )
const criteriaWords = (criteria: Parts['criteria']): string =>
  criteria === null || criteria.rules.length === 0
    ? 'none'
    : joined(
        rowsOf(criteria.rules.length),
        criteria.rules.length > 1 && (criteria.matchMode === 'all' ? 'all must match' : 'one is enough'),
      )
const outreachWords = (outreach: Parts['outreach']): string =>
  outreach === null
    ? 'none'
    : joined(
        outreach.campaignName,
        outreach.filters.length > 0 && `leads that match ${rowsOf(outreach.filters.length)}`,
        !outreach.autoSend && 'by hand only',
      )
const capWords = (cap: number | null): string => (cap === null ? 'no limit' : `at most ${cap} credits`)

function changeOf(source: SetSource, parts: Parts, part: DefaultPart): Difference['changes'][number] | null {
  const said = (from: string, to: string) => ({ part, from, to })
  switch (part) {
    case 'webhook': {
      const [has, wanted] = [source.webhook, parts.webhook]
      if (wanted === null) return null
      const isSame =
        has !== null &&
        !has.isDisabled &&
        has.url === wanted.url &&
        has.icpOnly === wanted.icpOnly &&
        has.autoSend === wanted.autoSend &&
        has.syncEvents === wanted.syncEvents
      return isSame
        ? null
        : said(`${webhookWords(has)}${has?.isDisabled ? ' (switched off)' : ''}`, webhookWords(wanted))
    }
    case 'criteria': {
      const [has, wanted] = [source.criteria ?? { rules: [], matchMode: 'all' as const }, parts.criteria]
      if (wanted === null) return null
      // Without rules the match mode means nothing.
      const isSame =
        rowsKey(has.rules) === rowsKey(wanted.rules) && (has.rules.length === 0 || has.matchMode === wanted.matchMode)
      return isSame ? null : said(criteriaWords(has), criteriaWords(wanted))
    }
    case 'outreach': {
      const [has, wanted] = [source.outreach, parts.outreach]
      if (wanted === null) return null
      const isSame =
        has !== null &&
        !has.isPaused &&
        has.campaignId === wanted.campaignId &&
        has.autoSend === wanted.autoSend &&
        rowsKey(has.filters) === rowsKey(wanted.filters)
      return isSame ? null : said(`${outreachWords(has)}${has?.isPaused ? ' (paused)' : ''}`, outreachWords(wanted))
    }
    case 'cap':
      return parts.cap === null || parts.cap.credits === source.cap
        ? null
        : said(capWords(source.cap), capWords(parts.cap.credits))
  }
}

function keptOf(source: SetSource, parts: Parts, part: DefaultPart): Kept | null {
  if (source.ofAgent) return 'agent'
  if (part !== 'cap') return null
  if (source.type === 'keyword') return parts.cap?.credits === null ? 'needs_a_cap' : null
  // A source that stores only posts costs by its posts per sync, not by a cap.
  return source.mode === 'posts_only' ? 'posts_only' : null
}

/** What the named parts change on a source. */
export function differenceOf(source: SetSource, parts: Parts, named: readonly DefaultPart[]): Difference {
  const changes: Difference['changes'][number][] = []
  const kept: Difference['kept'][number][] = []
  for (const part of defaultParts.filter((each) => named.includes(each))) {
    const change = changeOf(source, parts, part)
    if (change === null) continue
    const reason = keptOf(source, parts, part)
    if (reason === null) changes.push(change)
    else kept.push({ part, reason })
  }
  return { source, changes, kept }
}

function dailyOf({ type, mode, postsPerSync }: SetSource, cap: number | null): number | null {
  if (type === 'keyword') return mode === 'posts_only' ? Math.min(postsPerSync ?? Infinity, cap ?? 0) : cap
  return dailyMax({ mode, postsPerSync, creditCapPerSync: cap } as Parameters<typeof dailyMax>[0])
}

const sum = (each: readonly (number | null)[]): number | null =>
  each.some((one) => one === null) ? null : each.reduce<number>((total, one) => total + one!, 0)

/** The most credits per day of all sources, before and after their changes. */
export function dailyChange(
  differences: readonly Difference[],
  capFor: (source: SetSource) => number | null,
): { readonly before: number | null; readonly after: number | null } {
  return {
    before: sum(differences.map(({ source }) => dailyOf(source, source.cap))),
    after: sum(
      differences.map(({ source, changes }) =>
        dailyOf(source, changes.some(({ part }) => part === 'cap') ? capFor(source) : source.cap),
      ),
    ),
  }
}
