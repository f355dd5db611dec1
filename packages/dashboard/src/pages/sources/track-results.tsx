import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Badge, Select, type Tone } from '../../ui/index.ts'
import { Kind, kindName } from './kinds.tsx'
import type { KnownLine, PastedLine, TrackedKind, UnknownLine } from './track-lines.ts'
import { lineKey, type LineResult } from './use-track.ts'

/** A source the team has, as far as the list of lines needs it. */
export type Present = { readonly id: string; readonly type: string; readonly username: string; readonly status: string }

/** The source that a line names, if the team has it. */
export const presentOf = (line: KnownLine, present: readonly Present[]): Present | undefined =>
  present.find((source) => source.type === line.kind && source.username === line.identifier)

function outcome(
  result: LineResult | undefined,
  held: Present | undefined,
): { readonly tone: Tone; readonly word: string; readonly more?: string | undefined } {
  if (result?.state === 'sending') return { tone: 'info', word: 'Sending…' }
  if (result?.state === 'tracked')
    return { tone: 'good', word: 'Tracked', more: result.note ?? 'The first sync has begun' }
  if (result?.state === 'asks') return { tone: 'warn', word: 'Waits for your yes' }
  if (result?.state === 'failed') return { tone: 'bad', word: 'Not tracked', more: result.error }
  if (held?.status === 'active') return { tone: 'neutral', word: 'Already tracked', more: 'Left as it is' }
  if (held) return { tone: 'info', word: 'Tracked before', more: 'Goes on with its leads and history' }
  return { tone: 'neutral', word: 'New' }
}

function Guess({
  line,
  onKind,
}: {
  readonly line: KnownLine
  readonly onKind: (kind: TrackedKind) => void
}): ReactNode {
  return (
    <Select
      aria-label={`What ${line.text} is`}
      className="h-8! w-auto!"
      value={line.kind}
      onValue={onKind}
      choices={[
        { value: 'person', label: kindName('person') },
        { value: 'company', label: kindName('company') },
      ]}
    />
  )
}

function UnreadLine({ line }: { readonly line: UnknownLine }): ReactNode {
  return (
    <li className="flex flex-col gap-0.5 px-3 py-2 text-sm">
      <span className="flex items-start justify-between gap-3">
        <span className="min-w-0 break-all">{line.text}</span>
        <Badge tone="bad">Not recognised</Badge>
      </span>
      <span className="text-[0.8125rem] text-muted">
        {line.why}
        {line.why.includes('keyword search') && (
          <>
            {' '}
            (
            <Link to="/keyword/new" className="text-accent-text underline">
              make one
            </Link>
            )
          </>
        )}
      </span>
    </li>
  )
}

function NamedLine({
  line,
  held,
  result,
  onKind,
}: {
  readonly line: KnownLine
  readonly held: Present | undefined
  readonly result: LineResult | undefined
  readonly onKind: (kind: TrackedKind) => void
}): ReactNode {
  const { tone, word, more } = outcome(result, held)
  return (
    <li className="flex flex-col gap-0.5 px-3 py-2 text-sm">
      <span className="flex items-start justify-between gap-3">
        <span className="min-w-0 font-medium break-all">{line.identifier}</span>
        <Badge tone={tone}>{word}</Badge>
      </span>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-[0.8125rem] text-muted">
        {line.guessed && result === undefined ? <Guess line={line} onKind={onKind} /> : <Kind kind={line.kind} />}
        {more}
        {held && (
          <Link to="/sources/$id" params={{ id: held.id }} className="text-accent-text underline">
            Open
          </Link>
        )}
      </span>
    </li>
  )
}

/** Every pasted line with what it names, whether the team has it, and what became of it. */
export function TrackLines({
  lines,
  present,
  results,
  onKind,
}: {
  readonly lines: readonly PastedLine[]
  readonly present: readonly Present[]
  readonly results: ReadonlyMap<string, LineResult>
  readonly onKind: (text: string, kind: TrackedKind) => void
}): ReactNode {
  return (
    <ul
      aria-label="What was pasted"
      className="flex max-h-72 flex-col divide-y divide-line overflow-y-auto rounded-lg border border-line"
    >
      {lines.map((line) =>
        line.kind === 'unknown' ? (
          <UnreadLine key={line.text} line={line} />
        ) : (
          <NamedLine
            key={lineKey(line)}
            line={line}
            held={presentOf(line, present)}
            result={results.get(lineKey(line))}
            onKind={(kind) => onKind(line.text, kind)}
          />
        ),
      )}
    </ul>
  )
}
