import { useState } from 'react'
import { ApiError, api, asksToSpend, hasCode } from '../../api/index.ts'
import type { KnownLine } from './track-lines.ts'
import { postFields, profileFields, type TrackSettings } from './track-settings.ts'
import { useRefresh } from './untrack.tsx'

/** What became of a line. */
export type LineResult =
  | { readonly state: 'sending' }
  | { readonly state: 'tracked'; readonly note: string | null }
  | { readonly state: 'asks'; readonly figures: Readonly<Record<string, unknown>> }
  | { readonly state: 'failed'; readonly error: string; readonly again: boolean }

/** The name of a line among the results. */
export const lineKey = (line: KnownLine): string => `${line.kind} ${line.identifier}`

async function send(
  line: KnownLine,
  settings: TrackSettings,
  confirmSpend: boolean,
): Promise<{ readonly syncNotQueuedReason?: string | undefined }> {
  if (line.kind === 'post') return await api.v1('trackPost', { postUrl: line.text, ...postFields(settings) })
  const fields = {
    username: line.identifier,
    saveTrackedProfile: true,
    ...profileFields(settings),
    ...(confirmSpend ? { confirmSpend } : {}),
  }
  return line.kind === 'person' ? await api.v1('enrichProfile', fields) : await api.v1('enrichCompany', fields)
}

function resultOf(error: unknown): LineResult {
  if (asksToSpend(error)) return { state: 'asks', figures: error.body }
  const again = error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)
  return { state: 'failed', error: error instanceof Error ? error.message : String(error), again }
}

/** Tracks lines one after the other and keeps what became of each; those that cost something wait for a yes. */
export function useTrack(): {
  readonly results: ReadonlyMap<string, LineResult>
  readonly busy: boolean
  /** `settingsOf` a line: caps may differ by kind. */
  readonly run: (
    lines: readonly KnownLine[],
    settingsOf: (line: KnownLine) => TrackSettings,
    confirmSpend?: boolean,
  ) => Promise<void>
  readonly reset: () => void
} {
  const [results, setResults] = useState<ReadonlyMap<string, LineResult>>(new Map())
  const [busy, setBusy] = useState(false)
  const refresh = useRefresh()
  const run = async (
    lines: readonly KnownLine[],
    settingsOf: (line: KnownLine) => TrackSettings,
    confirmSpend = false,
  ) => {
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
    refresh()
  }
  return { results, busy, run, reset: () => setResults(new Map()) }
}
