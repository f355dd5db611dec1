import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState, type ReactNode } from 'react'
import { api } from '../../api/api.ts'
import { hasCode } from '../../api/error.ts'
import { keyOf } from '../../api/hooks.ts'
import type { V1Result } from '../../api/types.ts'
import { Button, countOf, Dialog, Field, Notice, Select } from '../../ui/index.ts'
import { SourceLink } from './cells.tsx'
import type { Lead } from './columns.tsx'
import { groupBySource, type Group } from './push-groups.ts'
import { PushProgress } from './push-progress.tsx'

type Outcome = { readonly started: V1Result<'pushSource'> } | { readonly failed: string }
type Fit = 'webhook' | 'fits' | 'all'

const fits: readonly { readonly value: Fit; readonly label: string }[] = [
  { value: 'webhook', label: 'As each webhook is set' },
  { value: 'fits', label: 'Only those who fit' },
  { value: 'all', label: 'All that are chosen' },
]

function reason(error: unknown): string {
  if (hasCode(error, 'no_webhook'))
    return 'This source has no webhook yet. Open the source, set an address under Webhook, then send again.'
  return error instanceof Error ? error.message : String(error)
}

/** Sends the groups one after the other and keeps what came of each. */
function usePushes(groups: readonly Group[]) {
  const client = useQueryClient()
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  const [busy, setBusy] = useState(false)
  const send = async (fit: Fit) => {
    setBusy(true)
    for (const { sourceId, leadIds } of groups) {
      const outcome = await api
        .v1('pushSource', {
          id: sourceId,
          leadIds: [...leadIds],
          ...(fit === 'webhook' ? {} : { icpOnly: fit === 'fits' }),
        })
        .then(
          (started): Outcome => ({ started }),
          (error: unknown): Outcome => ({ failed: reason(error) }),
        )
      setOutcomes((before) => new Map(before).set(sourceId, outcome))
    }
    setBusy(false)
    void client.invalidateQueries({ queryKey: keyOf('leads') })
    void client.invalidateQueries({ queryKey: keyOf('deliveries') })
  }
  return { outcomes, busy, send }
}

/** Sends chosen leads to the webhooks of their sources, and shows how that goes. */
export function PushDialog({
  leads,
  onClose,
}: {
  readonly leads: readonly Lead[]
  readonly onClose: () => void
}): ReactNode {
  const { groups, withoutSource } = useMemo(() => groupBySource(leads), [leads])
  const { outcomes, busy, send } = usePushes(groups)
  const [fit, setFit] = useState<Fit>('webhook')
  const isSent = outcomes.size > 0
  const actions = isSent ? (
    <Button variant="primary" onClick={onClose}>
      Close
    </Button>
  ) : (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button variant="primary" busy={busy} disabled={groups.length === 0} onClick={() => void send(fit)}>
        Send {countOf(leads.length - withoutSource, 'lead')}
      </Button>
    </>
  )
  return (
    <Dialog
      open
      onOpen={(open) => !open && onClose()}
      title="Send to webhook"
      text="Each lead goes to the webhook of its source. Nothing is sent twice, and no credits are used."
      actions={actions}
    >
      <div className="flex flex-col gap-4">
        {!isSent && (
          <Field label="Who of the chosen" hint="A webhook can be set to take only people who fit.">
            <Select value={fit} onValue={setFit} choices={fits} />
          </Field>
        )}
        {withoutSource > 0 && (
          <Notice tone="warn">
            {countOf(withoutSource, 'lead')} found by Discover {withoutSource === 1 ? 'has' : 'have'} no source, so no
            webhook can take {withoutSource === 1 ? 'it' : 'them'}.
          </Notice>
        )}
        <ul className="flex flex-col divide-y divide-line">
          {groups.map((group) => {
            const outcome = outcomes.get(group.sourceId)
            return (
              <li key={group.sourceId} className="flex flex-col gap-1.5 py-2.5">
                <span className="flex items-baseline justify-between gap-3 text-sm">
                  <SourceLink id={group.sourceId} kind={group.kind} label={group.label} />
                  <span className="shrink-0 text-muted tabular-nums">{countOf(group.leadIds.length, 'lead')}</span>
                </span>
                {outcome !== undefined && 'failed' in outcome && (
                  <p role="alert" className="text-sm text-danger-text">
                    {outcome.failed}
                  </p>
                )}
                {outcome !== undefined && 'started' in outcome && <PushProgress {...outcome.started} />}
              </li>
            )
          })}
        </ul>
      </div>
    </Dialog>
  )
}
