import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useSessionQuery, useTeam, useV1Query } from '../../api/index.ts'
import { Button, countOf, Dialog, Field, Notice, SpendDialog, TextArea } from '../../ui/index.ts'
import { QuoteLine, type QuotedAct } from '../../quotes/index.ts'
import { capFor, givenWords } from './defaults/words.ts'
import { mostLines, readLines, type KnownLine, type PastedLine, type TrackedKind } from './track-lines.ts'
import { presentOf, TrackLines, type Present } from './track-results.tsx'
import { settingFaults, startSettings, type TrackSettings } from './track-settings.ts'
import { TrackSettingsForm } from './track-settings-form.tsx'
import { summed } from './track-spend.ts'
import { lineKey, useTrack } from './use-track.ts'

const known = (lines: readonly PastedLine[]): readonly KnownLine[] => lines.filter((line) => line.kind !== 'unknown')

/** A bare name is what the team has under it, else a person's. */
const heldKind = (line: KnownLine, present: readonly Present[]): TrackedKind =>
  presentOf({ ...line, kind: 'company' }, present) && !presentOf(line, present) ? 'company' : line.kind

/** Tracks what is pasted, a line each: what each line names is shown before anything is sent. */
export function TrackDialog({
  open,
  onOpen,
  start = '',
}: {
  readonly open: boolean
  readonly onOpen: (open: boolean) => void
  readonly start?: string
}): ReactNode {
  const { can } = useTeam()
  const [pasted, setPasted] = useState(start)
  const [chosen, setChosen] = useState<Readonly<Record<string, TrackedKind>>>({})
  const [settings, setSettings] = useState<TrackSettings>(startSettings)
  const [namesCap, setNamesCap] = useState(false)
  const [declined, setDeclined] = useState(false)
  const { results, busy, run, reset } = useTrack()
  const sources = useV1Query('listSources', { includeInactive: true }, { topic: 'sources', enabled: open })
  const present = sources.data?.sources ?? []
  const stored = useSessionQuery('getDefaults', {}, { topic: 'sources', enabled: open && can('member') })
  const defaults = stored.data?.defaults ?? []
  const lines = readLines(pasted).map((line) =>
    line.kind !== 'unknown' && line.guessed ? { ...line, kind: chosen[line.text] ?? heldKind(line, present) } : line,
  )
  const waiting = known(lines).filter((line) => {
    const result = results.get(lineKey(line))
    return result === undefined
      ? presentOf(line, present)?.status !== 'active'
      : result.state === 'failed' && result.again
  })
  const asking = known(lines).filter((line) => results.get(lineKey(line))?.state === 'asks')
  const figures =
    busy || declined
      ? null
      : summed(
          asking.flatMap((line) => {
            const result = results.get(lineKey(line))
            return result?.state === 'asks' ? [result.figures] : []
          }),
        )
  const tooMany = lines.length > mostLines
  // Until somebody types a cap, each kind begins with that of the team.
  const capOf = (line: KnownLine): string => (namesCap ? settings.cap : (capFor(defaults, line.kind) ?? settings.cap))
  const settingsOf = (line: KnownLine): TrackSettings => ({ ...settings, cap: capOf(line) })
  const lineCaps = [
    ...new Set(known(lines).length > 0 ? known(lines).map(capOf) : [capFor(defaults, 'all') ?? settings.cap]),
  ]
  const shownCap = namesCap ? settings.cap : lineCaps.length === 1 ? lineCaps[0]! : ''
  const capHint = !namesCap && lineCaps.length > 1 ? 'By kind, as the team’s defaults say.' : 'Empty: no limit.'
  const typeCap = (cap: string) => {
    setNamesCap(true)
    setSettings({ ...settings, cap })
  }
  const writes = can('member')
  const change = (text: string) => {
    setPasted(text)
    reset()
  }
  const close = () => {
    onOpen(false)
    change('')
  }
  const send = () => {
    setDeclined(false)
    void run([...waiting, ...asking], settingsOf)
  }
  const sendable = waiting.length + asking.length
  const tracked = [...results.values()].filter((result) => result.state === 'tracked').length
  const faults = settingFaults(namesCap ? settings : { ...settings, cap: shownCap })
  const given = givenWords(defaults, [...new Set(known(lines).map(({ kind }) => kind))])
  const act: QuotedAct | null =
    sendable === 0 || tooMany || Object.keys(faults).length > 0
      ? null
      : {
          kind: 'track',
          sources: sendable,
          mode: settings.mode,
          creditCapPerSync: shownCap.trim() === '' ? null : Number(shownCap),
          ...(lineCaps.length > 1 && !namesCap
            ? { caps: [...waiting, ...asking].map((line) => (capOf(line) === '' ? null : Number(capOf(line)))) }
            : {}),
          ...(settings.mode === 'posts_only' ? { postsPerSync: Number(settings.posts) } : {}),
        }
  const reason =
    (!writes && 'Only members may track sources.') ||
    (tooMany && `At most ${mostLines} at a time.`) ||
    (sendable === 0 && (lines.length === 0 ? 'Paste an address first.' : 'Nothing of this is left to track.')) ||
    (act === null && 'Correct what is marked first.') ||
    (sources.data === undefined && 'What is tracked already is being read.')
  const actions = (
    <>
      <Button onClick={close}>{tracked > 0 && !busy ? 'Done' : 'Cancel'}</Button>
      <Button variant="primary" reason={reason} busy={busy} onClick={send}>
        {sendable > 0 ? `Track ${countOf(sendable, 'source')}` : 'Track'}
      </Button>
    </>
  )
  return (
    <>
      <Dialog
        open={open}
        onOpen={(next) => (next ? onOpen(true) : close())}
        title="Track people, company pages and posts"
        text="Paste addresses or handles, one a line. Nothing is sent before you press Track."
        size="lg"
        actions={actions}
      >
        <div className="flex flex-col gap-5">
          {!writes && (
            <Notice tone="warn">Only members may track sources. Ask an owner of the team for the role.</Notice>
          )}
          <Field
            label="Addresses or handles"
            error={tooMany ? `At most ${mostLines} at a time` : undefined}
            hint="A person’s profile, a company page, or a post: its address, its handle, or its URN."
          >
            <TextArea
              rows={4}
              value={pasted}
              onChange={(event) => change(event.target.value)}
              placeholder={
                'https://www.linkedin.com/in/jane-doe\nhttps://www.linkedin.com/company/acme\nhttps://www.linkedin.com/feed/update/urn:li:activity:…'
              }
              reason={busy && 'These are being tracked.'}
            />
          </Field>
          {lines.length > 0 && (
            <TrackLines
              lines={lines}
              present={present}
              results={results}
              onKind={(text, kind) => setChosen({ ...chosen, [text]: kind })}
            />
          )}
          <p role="status" className="sr-only">
            {lines.length > 0 &&
              `${countOf(lines.length, 'line')}, ${known(lines).length} recognised${tracked > 0 ? `, ${tracked} tracked` : ''}`}
          </p>
          <QuoteLine
            act={act}
            cap={
              settings.mode === 'engagers' && (
                <label className="flex flex-wrap items-center gap-2">
                  <span>Most credits a sync, for each source</span>
                  <input
                    inputMode="numeric"
                    className="h-8 w-24 rounded-md border border-line-strong bg-surface px-2 tabular-nums"
                    value={shownCap}
                    onChange={(event) => typeCap(event.target.value)}
                  />
                  <span className="text-muted">{capHint}</span>
                </label>
              )
            }
          />
          {given.length > 0 && (
            <section aria-label="Team defaults" className="rounded-lg border border-line px-3 py-2 text-sm">
              <p className="flex flex-wrap items-baseline justify-between gap-x-3">
                <span className="font-medium">What is new gets the team’s defaults</span>
                <Link
                  to="/sources"
                  search={{ tab: 'defaults' }}
                  onClick={close}
                  className="text-[0.8125rem] text-accent-text underline underline-offset-2"
                >
                  Change them
                </Link>
              </p>
              <ul className="mt-1 text-muted">
                {given.map((words) => (
                  <li key={words} className="break-words">
                    {words}
                  </li>
                ))}
              </ul>
            </section>
          )}
          <details className="rounded-lg border border-line">
            <summary className="px-3 py-2 text-sm font-medium">Settings for all of them</summary>
            <div className="border-t border-line p-3">
              <TrackSettingsForm
                value={{ ...settings, cap: shownCap }}
                onChange={({ cap, ...next }) => {
                  setSettings({ ...next, cap: cap === shownCap ? settings.cap : cap })
                  if (cap !== shownCap) setNamesCap(true)
                }}
                profiles={lines.length === 0 || known(lines).some((line) => line.kind !== 'post')}
              />
            </div>
          </details>
        </div>
      </Dialog>
      <SpendDialog
        figures={figures}
        busy={busy}
        onConfirm={() => void run(asking, settingsOf, true)}
        onCancel={() => setDeclined(true)}
      />
    </>
  )
}
