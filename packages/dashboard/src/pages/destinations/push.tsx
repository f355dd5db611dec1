/** Sends people captured earlier: a preview first, then the progress. */
import { useState } from 'react'
import { useRead, useWrite, type ResultOf } from '../../api/index.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { count, countOf } from '../../ui/format.ts'
import { Loaded, Meter, Notice } from '../../ui/show.tsx'
import type { Destination, Kind } from './kinds.ts'

type Preview = ResultOf<'previewDestinationPush'>

export const usePreview = (id: string, isAsked = true) =>
  useRead('previewDestinationPush', { id }, { keepPrevious: true, enabled: isAsked })

const perLead: readonly Kind[] = ['slack', 'webhook']

/** What one delivery of a kind contains: a lead or a person. */
export const unitsOf = (kind: Kind, number: number): string =>
  perLead.includes(kind) ? countOf(number, 'lead') : countOf(number, 'person', 'people')

export function previewWords({ kind }: Destination, { queued, considered, excluded }: Preview): string {
  if (considered === 0) return 'Nobody has been captured so far.'
  const left = excluded === 0 ? '' : ` ${countOf(excluded, 'lead')} of excluded people are left out.`
  return `${unitsOf(kind, queued)} will be sent, of ${countOf(considered, 'lead')} captured so far.${left}`
}

function Progress({ pushId }: { pushId: string }) {
  const query = useRead(
    'getPush',
    { pushId },
    { refetchInterval: ({ state: { data } }) => (data?.finished ? false : 2_000) },
  )
  return (
    <Loaded query={query} lines={2}>
      {({ counts, total, finished }) => (
        <div className="flex flex-col gap-3">
          <Meter label="Delivered" value={counts.delivered} max={total} />
          {counts.failed > 0 && <Notice tone="warn">{count(counts.failed)} were refused: the log says why.</Notice>}
          <p role="status" className="text-sm text-muted">
            {finished ? 'The push is finished.' : 'It continues if you close this window.'}
          </p>
        </div>
      )}
    </Loaded>
  )
}

export function PushDialog({ destination, onClose }: { destination: Destination; onClose: () => void }) {
  const { id, kind, name } = destination
  const [pushId, setPushId] = useState<string | null>(null)
  const preview = usePreview(id, pushId === null)
  const push = useWrite('pushDestination', { onSuccess: (answer) => setPushId(answer.pushId) })
  const queued = preview.data?.queued ?? 0
  return (
    <Dialog
      onClose={onClose}
      title={`Send to ${name}`}
      text="Everybody captured so far whom this destination accepts. People already there are updated, not duplicated."
      cancel={pushId === null}
      actions={
        pushId === null ? (
          <Button
            variant="primary"
            busy={push.isPending || preview.isPending}
            reason={!preview.isPending && queued === 0 && 'Nobody would be sent.'}
            onClick={() => push.mutate({ id })}
          >
            Send {unitsOf(kind, queued)}
          </Button>
        ) : (
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        )
      }
    >
      {pushId === null ? (
        <Loaded query={preview} lines={2}>
          {(data) => (
            <p role="status" className="text-sm">
              {previewWords(destination, data)} No credits are used.
            </p>
          )}
        </Loaded>
      ) : (
        <Progress pushId={pushId} />
      )}
    </Dialog>
  )
}
