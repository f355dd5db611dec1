import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { api } from '../api/api.ts'
import { hasCode, isUnread } from '../api/error.ts'
import { keyOf, useV1Query } from '../api/hooks.ts'
import type { SessionInput } from '../api/types.ts'
import { closedWords } from '../pages/outreach/words.ts'
import {
  Button,
  count,
  Dialog,
  EmptyState,
  ErrorState,
  Notice,
  Skeleton,
  TextLink,
  LinkButton,
  SelectField,
} from '../ui/index.ts'
import { isGoing, reasonWords, unitsOf, type Preview } from './words.ts'

export type Wanted = SessionInput<'previewSend'>['send']

/** The filters of a list as a send takes them: those of a query, which are texts. */
export const asTexts = (filters: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, String(value)]))

function Lines({ lines }: { lines: Preview['lines'] }) {
  return (
    <ul className="flex flex-col gap-1 text-sm">
      {lines.map(({ reason, count: number }) => (
        <li key={reason} className="flex gap-3">
          <span className="min-w-10 text-right font-medium tabular-nums">{count(number)}</span>
          <span className={isGoing(reason) ? '' : 'text-muted'}>{reasonWords(reason)}</span>
        </li>
      ))}
    </ul>
  )
}

function Groups({ groups, onLeave }: { groups: Preview['groups']; onLeave: () => void }) {
  return (
    <ul className="flex flex-col divide-y divide-line border-t border-line" aria-label="By source">
      {groups.map((group) => (
        <li key={group.ownerId} className="flex flex-col gap-1.5 py-2.5">
          <span className="flex items-baseline justify-between gap-3 text-sm">
            <span className="min-w-0 truncate font-medium">{group.label ?? 'Discover'}</span>
            <span className="shrink-0 text-muted">
              {group.destination ?? (group.type === 'discover' ? 'no webhook' : null)}
              {group.destination === null && group.type !== 'discover' && (
                <TextLink
                  to="/sources/$id"
                  params={{ id: group.ownerId }}
                  search={{ tab: 'webhook' }}
                  onClick={onLeave}
                >
                  Set a webhook
                </TextLink>
              )}
            </span>
          </span>
          <Lines lines={group.lines} />
        </li>
      ))}
    </ul>
  )
}

/** What a send would do, and the act that plans it; an outdated preview is read again. */
function usePlannedSend(wanted: Wanted | null, onPlanned: () => void) {
  const client = useQueryClient()
  const preview = useQuery({
    queryKey: keyOf('deliveries', 'previewSend', wanted),
    queryFn: ({ signal }) => api.session('previewSend', { send: wanted! }, { signal }),
    enabled: wanted !== null,
    gcTime: 0,
    retry: false,
  })
  const plan = useMutation({
    mutationFn: (goes: number) => api.session('planSend', { send: wanted!, goes }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: keyOf('deliveries', 'listSends') })
      onPlanned()
    },
    onError: (error) => {
      if (hasCode(error, 'preview_outdated')) void preview.refetch()
    },
  })
  return { preview, plan, isBeingRead: wanted !== null && isUnread(preview, plan.error, 'preview_outdated') }
}

function Outcome({
  wanted,
  planned: { preview, plan },
  onLeave,
}: {
  wanted: Wanted | null
  planned: ReturnType<typeof usePlannedSend>
  onLeave: () => void
}) {
  return (
    <>
      {plan.error && (
        <Notice tone="warn" title="Nothing was sent">
          {plan.error.message}
        </Notice>
      )}
      {wanted !== null && preview.isPending && <Skeleton lines={3} />}
      {wanted !== null && preview.error && <ErrorState error={preview.error} retry={() => void preview.refetch()} />}
      {wanted !== null && preview.data && (
        <section aria-label="What will be sent" className="flex flex-col gap-3">
          {preview.data.goes === 0 && (
            <Notice tone="warn">
              {preview.data.total === 0
                ? 'Nothing matches.'
                : `None of ${unitsOf(wanted.kind, preview.data.total)} would go.`}
            </Notice>
          )}
          <Lines lines={preview.data.lines} />
          {(preview.data.groups.length > 1 || preview.data.groups[0]?.destination === null) && (
            <Groups groups={preview.data.groups} onLeave={onLeave} />
          )}
          {preview.data.goes > 0 && (
            <p className="text-[0.8125rem] text-muted">
              {preview.data.campaign ? `To “${preview.data.campaign.name}”. ` : ''}It begins ten seconds after your yes;
              until then it can be undone, also from another page. No credits are used.
            </p>
          )}
        </section>
      )}
    </>
  )
}

/**
 * Shows what a send would do, then sends on a yes. `wanted` null: something is still to be chosen above. The number on the button
 * is that of the service, and the service refuses to send more than it.
 */
export function SendPreviewDialog({
  title,
  text,
  wanted,
  children,
  onClose,
  onSent,
}: {
  title: string
  text?: string
  wanted: Wanted | null
  children?: ReactNode
  onClose: () => void
  onSent?: () => void
}) {
  const planned = usePlannedSend(wanted, () => {
    onSent?.()
    onClose()
  })
  const { preview, plan, isBeingRead } = planned
  const { data } = preview
  const goes = data?.goes ?? 0
  const nobody = wanted === null ? 'Choose a campaign first.' : 'Nobody would be sent.'
  return (
    <Dialog
      onClose={onClose}
      title={title}
      text={text}
      cancel
      actions={
        <Button
          variant="primary"
          busy={plan.isPending || isBeingRead}
          reason={!isBeingRead && goes === 0 && nobody}
          onClick={() => plan.mutate(goes)}
        >
          {wanted === null || data === undefined ? 'Send' : `Send ${unitsOf(wanted.kind, goes)}`}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        {children}
        <Outcome wanted={wanted} planned={planned} onLeave={onClose} />
      </div>
    </Dialog>
  )
}

const keySettings = (
  <LinkButton to="/settings" search={{ tab: 'credentials' }} variant="primary">
    Open the key settings
  </LinkButton>
)

/** The choice of a campaign, read live; says what to do where none can be chosen. */
function Choose({ picked, onPick }: { picked: string; onPick: (id: string) => void }) {
  const { data, error, isPending, refetch } = useV1Query('listCampaigns', {}, { topic: 'outreach', staleTime: 30_000 })
  if (isPending) return <Skeleton lines={2} />
  if (hasCode(error, 'not_connected'))
    return (
      <EmptyState
        title="Outreach is not connected"
        text="Store the key of your outreach platform first; then its campaigns appear here."
        action={keySettings}
      />
    )
  if (hasCode(error, 'invalid_key'))
    return (
      <EmptyState
        title="The outreach platform refuses the stored key"
        text="It was changed or taken back there. Store a good one."
        action={keySettings}
      />
    )
  if (!data) return <ErrorState error={error} retry={() => void refetch()} />
  if (data.campaigns.length === 0)
    return (
      <EmptyState
        title="No campaign is open"
        text="Make one on the outreach platform; those that are finished or canceled are not shown."
      />
    )
  const choices = data.campaigns.map(({ id, name, canTakeLeads, status }) => ({
    value: id,
    disabled: !canTakeLeads,
    label: canTakeLeads
      ? `${name}${status === 'PAUSED' ? ' (paused: stays paused)' : ''}`
      : `${name} (${closedWords({ status })})`,
  }))
  return (
    <SelectField
      label="Campaign"
      hint="Read live from the outreach platform."
      value={picked}
      onValue={onPick}
      choices={[{ value: '', label: 'Choose a campaign', disabled: true }, ...choices]}
    />
  )
}

/** Sends people to a campaign of the outreach platform, after a preview; `wantedFor` says whom. */
export function CampaignSendDialog({
  wantedFor,
  onClose,
  onSent,
}: {
  wantedFor: (campaignId: string) => Wanted
  onClose: () => void
  onSent?: () => void
}) {
  const [picked, setPicked] = useState('')
  return (
    <SendPreviewDialog
      title="Send to campaign"
      text="Nobody is sent twice to the same campaign, and no credits are used."
      wanted={picked === '' ? null : wantedFor(picked)}
      onClose={onClose}
      {...(onSent ? { onSent } : {})}
    >
      <Choose picked={picked} onPick={setPicked} />
    </SendPreviewDialog>
  )
}
