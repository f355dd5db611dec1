import { useState } from 'react'
import { useV1Query } from '../../api/index.ts'
import { readLines, type KnownLine, type PastedLine, type TrackedKind } from './track-lines.ts'
import { presentOf, type Present } from './track-results.tsx'
import { lineKey, type LineResult } from './use-track.ts'

/** What was pasted, line by line, beside what the team tracks already. */
export type Pasted = {
  readonly text: string
  readonly setText: (text: string) => void
  readonly lines: readonly PastedLine[]
  /** The lines that name something. */
  readonly known: readonly KnownLine[]
  readonly present: readonly Present[]
  /** Whether it is known what the team tracks already. */
  readonly isPresentRead: boolean
  /** Says what the bare name of a line is of. */
  readonly setKind: (text: string, kind: TrackedKind) => void
}

/** A bare name is what the team has under it, else a person's. */
const heldKind = (line: KnownLine, present: readonly Present[]): TrackedKind =>
  presentOf({ ...line, kind: 'company' }, present) && !presentOf(line, present) ? 'company' : line.kind

/** Keeps what is pasted and reads it; asks what the team tracks while the dialog is open. */
export function usePasted(start: string, open: boolean): Pasted {
  const [text, setText] = useState(start)
  const [chosen, setChosen] = useState<Readonly<Record<string, TrackedKind>>>({})
  const sources = useV1Query('listSources', { includeInactive: true }, { topic: 'sources', enabled: open })
  const present = sources.data?.sources ?? []
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
    setKind: (of, kind) => setChosen({ ...chosen, [of]: kind }),
  }
}

/** Lines that are neither tracked nor refused for good: those to send, and those that wait for a yes with their figures. */
export function openLines(
  { known, present }: Pick<Pasted, 'known' | 'present'>,
  results: ReadonlyMap<string, LineResult>,
): {
  readonly waiting: readonly KnownLine[]
  readonly asking: readonly KnownLine[]
  readonly figures: readonly Readonly<Record<string, unknown>>[]
} {
  const resultOf = (line: KnownLine) => results.get(lineKey(line))
  return {
    waiting: known.filter((line) => {
      const result = resultOf(line)
      return result === undefined
        ? presentOf(line, present)?.status !== 'active'
        : result.state === 'failed' && result.again
    }),
    asking: known.filter((line) => resultOf(line)?.state === 'asks'),
    figures: known.flatMap((line) => {
      const result = resultOf(line)
      return result?.state === 'asks' ? [result.figures] : []
    }),
  }
}
