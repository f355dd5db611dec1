import { useState } from 'react'
import { useSessionQuery, useTeam } from '../../api/index.ts'
import type { QuotedAct } from '../../quotes/index.ts'
import { capFor, givenWords } from './defaults/words.ts'
import type { KnownLine } from './track-lines.ts'
import { settingFaults, startSettings, type TrackSettings } from './track-settings.ts'

/** The settings that the pasted lines are tracked with. */
export type LineSettings = {
  /** As they are shown: an empty cap also where the lines have different ones. */
  readonly shown: TrackSettings
  readonly change: (settings: TrackSettings) => void
  readonly typeCap: (cap: string) => void
  readonly capHint: string
  readonly of: (line: KnownLine) => TrackSettings
  /** Whether something typed is wrong. */
  readonly isFaulty: boolean
  /** The team defaults that new lines get besides, in words. */
  readonly given: readonly string[]
  /** What tracking these lines comes to, to be quoted. */
  readonly actFor: (lines: readonly KnownLine[]) => QuotedAct
}

/** Until somebody types a cap, each kind of line begins with that of the team. */
export function useLineSettings(known: readonly KnownLine[], open: boolean): LineSettings {
  const { can } = useTeam()
  const [settings, setSettings] = useState<TrackSettings>(startSettings)
  const [namesCap, setNamesCap] = useState(false)
  const stored = useSessionQuery('getDefaults', {}, { topic: 'sources', enabled: open && can('member') })
  const defaults = stored.data?.defaults ?? []
  const capOf = (line: KnownLine): string => (namesCap ? settings.cap : (capFor(defaults, line.kind) ?? settings.cap))
  const caps = [...new Set(known.length > 0 ? known.map(capOf) : [capFor(defaults, 'all') ?? settings.cap])]
  const differ = !namesCap && caps.length > 1
  const shown = { ...settings, cap: namesCap ? settings.cap : caps.length === 1 ? caps[0]! : '' }
  const typeCap = (cap: string) => {
    setNamesCap(true)
    setSettings({ ...settings, cap })
  }
  return {
    shown,
    change: ({ cap, ...next }) => {
      setSettings({ ...next, cap: cap === shown.cap ? settings.cap : cap })
      if (cap !== shown.cap) setNamesCap(true)
    },
    typeCap,
    capHint: differ ? 'By kind, as the team’s defaults say.' : 'Empty: no limit.',
    of: (line) => ({ ...settings, cap: capOf(line) }),
    isFaulty: Object.keys(settingFaults(shown)).length > 0,
    given: givenWords(defaults, [...new Set(known.map(({ kind }) => kind))]),
    actFor: (lines) => ({
      kind: 'track',
      sources: lines.length,
      mode: settings.mode,
      creditCapPerSync: creditsOf(shown.cap),
      ...(differ ? { caps: lines.map((line) => creditsOf(capOf(line))) } : {}),
      ...(settings.mode === 'posts_only' ? { postsPerSync: Number(settings.posts) } : {}),
    }),
  }
}

/** The credits of a typed cap; null: no limit. */
const creditsOf = (cap: string): number | null => (cap.trim() === '' ? null : Number(cap))
