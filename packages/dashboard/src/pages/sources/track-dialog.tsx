import { sourceKindNames } from '@les/contract'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useTeam } from '../../api/index.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Select, TextField, type Choice } from '../../ui/field.tsx'
import { FormFields } from '../../ui/form.tsx'
import { countOf } from '../../ui/format.ts'
import { TextLink } from '../../ui/link.tsx'
import { Badge, Notice, type Tone } from '../../ui/show.tsx'
import { QuoteLine, SpendDialog } from '../../ui/spend.tsx'
import { Kind } from './parts.tsx'
import {
  lineKey,
  maxLines,
  openLines,
  presentOf,
  summed,
  type Present,
  useLineSettings,
  usePasted,
  useTrack,
  type LineResult,
  type TrackedKind,
} from './track.ts'

function outcome(
  result: LineResult | undefined,
  held: Present | undefined,
): { readonly tone: Tone; readonly word: string; readonly more?: string | undefined } {
  if (result?.state === 'sending') return { tone: 'info', word: 'Sending…' }
  if (result?.state === 'tracked')
    return { tone: 'good', word: 'Tracked', more: result.note ?? 'The first sync has begun' }
  if (result?.state === 'asks') return { tone: 'warn', word: 'Waits for you to confirm' }
  if (result?.state === 'failed') return { tone: 'bad', word: 'Not tracked', more: result.error }
  if (held?.status === 'active') return { tone: 'neutral', word: 'Already tracked', more: 'Left as it is' }
  if (held) return { tone: 'info', word: 'Tracked before', more: 'Continues with its leads and history' }
  return { tone: 'neutral', word: 'New' }
}

/** What a bare name may be. */
const guesses = (['person', 'company'] as const).map(
  (value): Choice<TrackedKind> => ({ value, label: sourceKindNames[value] }),
)

type LineProps = { name: string; tone: Tone; word: string; children: ReactNode }

const Line = ({ name, tone, word, children }: LineProps) => (
  <li className="flex flex-col gap-0.5 px-3 py-2 text-sm">
    <span className="flex items-start justify-between gap-3">
      <span className="min-w-0 font-medium break-all">{name}</span>
      <Badge tone={tone}>{word}</Badge>
    </span>
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-[0.8125rem] text-muted">{children}</span>
  </li>
)

/** Tracks what is pasted, each line by itself; those that cost wait for one consent. */
export function TrackDialog({ open, onClose, start }: { open: boolean; onClose: () => void; start: string }) {
  const writes = useTeam().can('member')
  const pasted = usePasted(start, open)
  const { lines, known } = pasted
  const settings = useLineSettings(known, open)
  const [declined, setDeclined] = useState(false)
  const { results, busy, run, reset } = useTrack()
  const { waiting, asking, figures } = openLines(pasted, results)
  const toSend = [...waiting, ...asking]
  const tooMany = lines.length > maxLines
  const tracked = [...results.values()].filter((result) => result.state === 'tracked').length
  const act = toSend.length === 0 || tooMany || !settings.isGood ? null : settings.actFor(toSend)
  const reason =
    (!writes && 'Only members may track sources.') ||
    (tooMany && `At most ${maxLines} at a time.`) ||
    (toSend.length === 0 && (lines.length === 0 ? 'Paste an address first.' : 'None of these is left to track.')) ||
    (act === null && 'Correct the marked fields first.') ||
    (!pasted.isPresentRead && 'Loading the sources you already track.')
  const change = (text: string) => {
    pasted.setText(text)
    reset()
  }
  const close = () => {
    onClose()
    change('')
  }
  const send = () => {
    setDeclined(false)
    void run(toSend, settings.of)
  }
  return (
    <>
      <Dialog
        open={open}
        onClose={close}
        title="Track people, company pages and posts"
        text="Paste addresses or handles, one per line. Nothing is sent until you press Track."
        size="lg"
        actions={
          <>
            <Button onClick={close}>{tracked > 0 && !busy ? 'Done' : 'Cancel'}</Button>
            <Button variant="primary" reason={reason} busy={busy} onClick={send}>
              {toSend.length > 0 ? `Track ${countOf(toSend.length, 'source')}` : 'Track'}
            </Button>
          </>
        }
      >
        <div className="flex flex-col gap-5">
          {!writes && (
            <Notice tone="warn">Only members may track sources. Ask an owner of the team for the role.</Notice>
          )}
          <TextField
            label="Addresses or handles"
            error={lines.length > maxLines ? `At most ${maxLines} at a time` : undefined}
            hint="A person’s profile, a company page, or a post: its address, its handle, or its URN."
            rows={4}
            value={pasted.text}
            onValue={change}
            placeholder={
              'https://www.linkedin.com/in/jane-doe\nhttps://www.linkedin.com/company/acme\nhttps://www.linkedin.com/feed/update/urn:li:activity:…'
            }
            reason={busy && 'These are being tracked.'}
          />
          {lines.length > 0 && (
            <ul
              aria-label="What was pasted"
              className="flex max-h-72 flex-col divide-y divide-line overflow-y-auto rounded-lg border border-line"
            >
              {lines.map((line) => {
                if (line.kind === 'unknown')
                  return (
                    <Line key={line.text} name={line.text} tone="bad" word="Not recognised">
                      <span>
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
                    </Line>
                  )
                const result = results.get(lineKey(line))
                const held = presentOf(line, pasted.present)
                const { more, ...said } = outcome(result, held)
                return (
                  <Line key={lineKey(line)} name={line.identifier} {...said}>
                    {line.guessed && result === undefined ? (
                      <Select
                        aria-label={`What ${line.text} is`}
                        className="h-8! w-auto!"
                        value={line.kind}
                        onValue={(kind) => pasted.setKind(line.text, kind)}
                        choices={guesses}
                      />
                    ) : (
                      <Kind kind={line.kind} />
                    )}
                    {more}
                    {held && (
                      <Link to="/sources/$id" params={{ id: held.id }} className="text-accent-text underline">
                        Open
                      </Link>
                    )}
                  </Line>
                )
              })}
            </ul>
          )}
          <p role="status" className="sr-only">
            {lines.length > 0 &&
              `${countOf(lines.length, 'line')}, ${known.length} recognised${tracked > 0 ? `, ${tracked} tracked` : ''}`}
          </p>
          <QuoteLine
            act={act}
            cap={
              settings.shown.mode === 'engagers' && (
                <label className="flex flex-wrap items-center gap-2">
                  <span>Most credits a sync, for each source</span>
                  <input
                    inputMode="numeric"
                    className="h-8 w-24 rounded-md border border-line-strong bg-surface px-2 tabular-nums"
                    value={settings.shown.cap}
                    onChange={(event) => settings.change({ cap: event.target.value })}
                  />
                  <span className="text-muted">{settings.capHint}</span>
                </label>
              )
            }
          />
          {settings.given.length > 0 && (
            <section aria-label="Team defaults" className="rounded-lg border border-line px-3 py-2 text-sm">
              <p className="flex flex-wrap items-baseline justify-between gap-x-3">
                <span className="font-medium">New sources get the team’s defaults</span>
                <TextLink to="/sources" search={{ tab: 'defaults' }} onClick={close} className="text-[0.8125rem]">
                  Change them
                </TextLink>
              </p>
              <ul className="mt-1 text-muted">
                {settings.given.map((words) => (
                  <li key={words} className="break-words">
                    {words}
                  </li>
                ))}
              </ul>
            </section>
          )}
          <details className="rounded-lg border border-line">
            <summary className="px-3 py-2 text-sm font-medium">Settings for all of them</summary>
            <div className="grid gap-4 border-t border-line p-3 sm:grid-cols-2">
              <FormFields fields={settings.fields} form={settings.shown} onChange={settings.change} isTried />
            </div>
          </details>
        </div>
      </Dialog>
      <SpendDialog
        figures={busy || declined ? null : summed(figures)}
        busy={busy}
        onConfirm={() => void run(asking, settings.of, true)}
        onCancel={() => setDeclined(true)}
      />
    </>
  )
}
