import {
  isMemberId,
  normalizeCompany,
  readCompanyNumber,
  readNetworkAddress,
  readPersonName,
  readPostReference,
} from '@les/contract'
import { useState } from 'react'
import { ApiError, ask, asksToSpend, hasCode, useRead, useRefresh, useTeam } from '../../api/index.ts'
import { numberOrNull } from '../../ui/edited.ts'
import type { QuotedAct } from '../../ui/spend.tsx'
import { capFor, givenWords } from './defaults/words.ts'
import { tracked } from './parts.tsx'
import { isGood, postFields, profileFields, startSettings, trackFields, type TrackSettings } from './settings.tsx'

export type TrackedKind = 'person' | 'company' | 'post'

/** A line that was understood; `guessed`: a bare name could be a person's or a company's. */
export type KnownLine = {
  readonly text: string
  readonly kind: TrackedKind
  readonly identifier: string
  readonly guessed: boolean
}

type UnknownLine = { readonly text: string; readonly kind: 'unknown'; readonly why: string }

type PastedLine = KnownLine | UnknownLine

const anyAddress = /^[a-z][a-z0-9+.-]*:\/\/|^www\./i
const postsRefused: Readonly<Record<'share' | 'short' | 'article' | 'group', string>> = {
  share: 'This is the address of a share, not of the post: use “Copy link to post” in the menu of the post',
  short: 'A shortened link does not say what it leads to: open it and copy the address it leads to',
  article: 'Articles cannot be tracked: track the post that shares it, or its author',
  group: 'Posts in groups cannot be tracked: only the members see who engages with them',
}

/** Reads a line: an address, a URN, or a bare handle or member id. */
export function readLine(line: string): PastedLine {
  const text = line
    .trim()
    .replace(/[,;]+$/, '')
    .trim()
  const unknown = (why: string): UnknownLine => ({ text, kind: 'unknown', why })
  const post = readPostReference(text)
  if (post.kind === 'post') return { text, kind: 'post', identifier: post.urn, guessed: false }
  if (post.kind !== 'other') return unknown(postsRefused[post.kind])
  const address = readNetworkAddress(text)
  if (address?.kind === 'other')
    return unknown(
      /^https?:\/\/[^/]+\/(?:posts|feed)\b/i.test(text)
        ? 'This is not the address of a post: use “Copy link to post” in the menu of the post'
        : `This ${address.why}`,
    )
  if (address?.kind === 'company') return { text, kind: 'company', identifier: normalizeCompany(text), guessed: false }
  const person = readPersonName(text)
  if (person !== null && (address !== null || isMemberId(person)))
    return { text, kind: 'person', identifier: person, guessed: false }
  if (anyAddress.test(text)) return unknown('This is an address of another site')
  const page = readCompanyNumber(text)
  if (page !== null) return { text, kind: 'company', identifier: page, guessed: !/^urn:/i.test(text) }
  if (/^urn:/i.test(text)) return unknown('Only URNs of posts, people and companies can be tracked')
  if (/[\s"()]/.test(text)) return unknown('These are words, not a handle: to follow a topic, make a keyword search')
  if (person !== null) return { text, kind: 'person', identifier: person, guessed: true }
  return unknown('This is not a handle: it has a character that handles cannot have, or more than 200 characters')
}

export const maxLines = 100

/** Reads pasted lines, without empty ones and repetitions. */
export function readLines(pasted: string): readonly PastedLine[] {
  const read = pasted
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map(readLine)
  const nameOf = (line: PastedLine) => (line.kind === 'unknown' ? `?${line.text}` : `${line.kind} ${line.identifier}`)
  return [...new Map(read.map((line) => [nameOf(line), line])).values()]
}

/** Sums the quotes of several sources that wait for consent. */
export function summed(all: readonly Readonly<Record<string, unknown>>[]): Readonly<Record<string, unknown>> | null {
  const [first] = all
  if (first === undefined || all.length === 1) return first ?? null
  const daily = all.every((one) => typeof one.estimatedDailyMax === 'number')
    ? all.reduce((sum, one) => sum + Number(one.estimatedDailyMax), 0)
    : undefined
  const left = typeof first.remainingBalance === 'number' ? first.remainingBalance : undefined
  return {
    ...first,
    estimatedDailyMax: daily,
    daysToExhaustAtCap: daily && left !== undefined ? Math.floor(left / daily) : undefined,
  }
}

/** The settings of each line; until a cap is typed, each kind starts with the team's default. */
export function useLineSettings(known: readonly KnownLine[], open: boolean) {
  const { can } = useTeam()
  const [settings, setSettings] = useState<TrackSettings>(startSettings)
  const [namesCap, setNamesCap] = useState(false)
  const stored = useRead('getDefaults', {}, { enabled: open && can('member') })
  const defaults = stored.data?.defaults ?? []
  const capOf = (line: KnownLine): string => (namesCap ? settings.cap : (capFor(defaults, line.kind) ?? settings.cap))
  const caps = [...new Set(known.length > 0 ? known.map(capOf) : [capFor(defaults, 'all') ?? settings.cap])]
  const differ = !namesCap && caps.length > 1
  /** As shown: the cap is empty when lines have different ones. */
  const shown = { ...settings, cap: namesCap ? settings.cap : caps.length === 1 ? caps[0]! : '' }
  const fields = trackFields({ modes: known.length === 0 || known.some(({ kind }) => kind !== 'post'), isNew: true })
  return {
    shown,
    fields,
    change: (part: Partial<TrackSettings>) => {
      if (part.cap !== undefined) setNamesCap(true)
      setSettings({ ...settings, ...part })
    },
    capHint: differ ? 'By kind, as the team’s defaults say.' : 'Empty: no limit.',
    of: (line: KnownLine): TrackSettings => ({ ...settings, cap: capOf(line) }),
    isGood: isGood(fields, shown),
    given: givenWords(defaults, [...new Set(known.map(({ kind }) => kind))]),
    actFor: (lines: readonly KnownLine[]): QuotedAct => ({
      kind: 'track',
      sources: lines.length,
      mode: settings.mode,
      creditCapPerSync: numberOrNull(shown.cap),
      ...(differ ? { caps: lines.map((line) => numberOrNull(capOf(line))) } : {}),
      ...(settings.mode === 'posts_only' ? { postsPerSync: Number(settings.posts) } : {}),
    }),
  }
}

export type LineResult =
  | { readonly state: 'sending' }
  | { readonly state: 'tracked'; readonly note: string | null }
  | { readonly state: 'asks'; readonly figures: Readonly<Record<string, unknown>> }
  | { readonly state: 'failed'; readonly error: string; readonly again: boolean }

export const lineKey = (line: KnownLine): string => `${line.kind} ${line.identifier}`

async function send(
  line: KnownLine,
  settings: TrackSettings,
  confirmSpend: boolean,
): Promise<{ readonly syncNotQueuedReason?: string | undefined }> {
  if (line.kind === 'post') return await ask('trackPost', { postUrl: line.text, ...postFields(settings) })
  const fields = {
    username: line.identifier,
    saveTrackedProfile: true,
    ...profileFields(settings),
    ...(confirmSpend ? { confirmSpend } : {}),
  }
  return line.kind === 'person' ? await ask('enrichProfile', fields) : await ask('enrichCompany', fields)
}

function resultOf(error: unknown): LineResult {
  if (asksToSpend(error)) return { state: 'asks', figures: error.body }
  const again = error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)
  return { state: 'failed', error: error instanceof Error ? error.message : String(error), again }
}

/** Tracks lines in sequence and keeps their results; lines that cost wait for consent. */
export function useTrack() {
  const [results, setResults] = useState<ReadonlyMap<string, LineResult>>(new Map())
  const [busy, setBusy] = useState(false)
  const refresh = useRefresh()
  /** `settingsOf` a line: caps may differ by kind. */
  const run = async (
    lines: readonly KnownLine[],
    settingsOf: (line: KnownLine) => TrackSettings,
    confirmSpend = false,
  ): Promise<void> => {
    const note = (line: KnownLine, result: LineResult) =>
      setResults((before) => new Map(before).set(lineKey(line), result))
    setBusy(true)
    let limited = false
    for (const line of lines) {
      if (limited) {
        note(line, { state: 'failed', error: 'Not sent yet', again: true })
        continue
      }
      note(line, { state: 'sending' })
      try {
        const answer = await send(line, settingsOf(line), confirmSpend)
        note(line, { state: 'tracked', note: answer.syncNotQueuedReason ?? null })
      } catch (error) {
        limited = hasCode(error, 'rate_limited')
        note(line, resultOf(error))
      }
    }
    setBusy(false)
    refresh(tracked)
  }
  return { results, busy, run, reset: () => setResults(new Map()) }
}

export type Present = { readonly id: string; readonly type: string; readonly username: string; readonly status: string }

export const presentOf = (line: KnownLine, present: readonly Present[]): Present | undefined =>
  present.find((source) => source.type === line.kind && source.username === line.identifier)

const heldKind = (line: KnownLine, present: readonly Present[]): TrackedKind =>
  presentOf({ ...line, kind: 'company' }, present) && !presentOf(line, present) ? 'company' : line.kind

/** The pasted text and its lines; reads the team's sources while the dialog is open. */
export function usePasted(start: string, open: boolean) {
  const [text, setText] = useState(start)
  const [chosen, setChosen] = useState<Readonly<Record<string, TrackedKind>>>({})
  const sources = useRead('listSources', { includeInactive: true }, { enabled: open })
  const present: readonly Present[] = sources.data?.sources ?? []
  const lines = readLines(text).map((line) =>
    line.kind !== 'unknown' && line.guessed ? { ...line, kind: chosen[line.text] ?? heldKind(line, present) } : line,
  )
  return {
    text,
    setText,
    lines,
    known: lines.filter((line): line is KnownLine => line.kind !== 'unknown'),
    present,
    isPresentRead: sources.data !== undefined,
    setKind: (of: string, kind: TrackedKind) => setChosen({ ...chosen, [of]: kind }),
  }
}

/** Lines that are neither tracked nor finally refused: those to send, and those that wait for consent, with their quotes. */
export function openLines(
  { known, present }: { readonly known: readonly KnownLine[]; readonly present: readonly Present[] },
  results: ReadonlyMap<string, LineResult>,
) {
  const resultOf = (line: KnownLine) => results.get(lineKey(line))
  const asking = known.filter((line) => resultOf(line)?.state === 'asks')
  return {
    waiting: known.filter((line) => {
      const result = resultOf(line)
      return result === undefined
        ? presentOf(line, present)?.status !== 'active'
        : result.state === 'failed' && result.again
    }),
    asking,
    figures: asking.map((line) => (resultOf(line) as Extract<LineResult, { state: 'asks' }>).figures),
  }
}
