import { useState, type ReactNode } from 'react'
import { hasCode, isUnread } from '../api/error.ts'
import { useRead, useWrite } from '../api/hooks.ts'
import type { InputOf } from '../api/types.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextLink } from '../ui/link.tsx'
import { Loaded, Notice, Tally } from '../ui/show.tsx'
import { CampaignField } from './campaign-field.tsx'
import { isSendable, reasonWords, unitsOf, type Preview } from './words.ts'

export type Wanted = InputOf<'previewSend'>['send']

/** The filters of a list as a send takes them: texts, as in a query. */
export const asTexts = (filters: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, String(value)]))

const Lines = ({ lines }: { lines: Preview['lines'] }) => (
  <Tally
    lines={lines.map(({ reason, count }) => ({
      key: reason,
      of: count,
      text: reasonWords[reason],
      isMinor: !isSendable(reason),
    }))}
  />
)

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

function Outcome({ wanted, preview, onLeave }: { wanted: Wanted; preview: Preview; onLeave: () => void }) {
  const { goes, total, lines, groups, campaign } = preview
  return (
    <section aria-label="What will be sent" className="flex flex-col gap-3">
      {goes === 0 && (
        <Notice tone="warn">
          {total === 0 ? 'Nothing matches.' : `None of ${unitsOf(wanted.kind, total)} would go.`}
        </Notice>
      )}
      <Lines lines={lines} />
      {(groups.length > 1 || groups[0]?.destination === null) && <Groups groups={groups} onLeave={onLeave} />}
      {goes > 0 && (
        <p className="text-[0.8125rem] text-muted">
          {campaign ? `To “${campaign.name}”. ` : ''}Sending starts ten seconds after you confirm; until then you can
          undo it, even from another page. No credits are used.
        </p>
      )}
    </section>
  )
}

type SendPreviewDialogProps = {
  title: string
  text?: string
  wanted: Wanted | null
  children?: ReactNode
  onClose: () => void
}

/** Previews a send, then sends on confirmation, never more than shown; `wanted` is null while something must be chosen. */
export function SendPreviewDialog({ title, text, wanted, children, onClose }: SendPreviewDialogProps) {
  const preview = useRead('previewSend', { send: wanted! }, { enabled: wanted !== null, gcTime: 0, retry: false })
  const plan = useWrite('planSend', {
    quiet: true,
    onSuccess: onClose,
    onError: (error) => hasCode(error, 'preview_outdated') && preview.refetch(),
  })
  const isBeingRead = wanted !== null && isUnread(preview, plan.error, 'preview_outdated')
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
          onClick={() => plan.mutate({ send: wanted!, goes })}
        >
          {wanted === null || data === undefined ? 'Send' : `Send ${unitsOf(wanted.kind, goes)}`}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        {children}
        {plan.error && (
          <Notice tone="warn" title="Nothing was sent">
            {plan.error.message}
          </Notice>
        )}
        {wanted !== null && (
          <Loaded query={preview} lines={3}>
            {(shown) => <Outcome wanted={wanted} preview={shown} onLeave={onClose} />}
          </Loaded>
        )}
      </div>
    </Dialog>
  )
}

type CampaignSendDialogProps = { wantedFor: (campaignId: string) => Wanted; onClose: () => void }

export function CampaignSendDialog({ wantedFor, onClose }: CampaignSendDialogProps) {
  const [picked, setPicked] = useState('')
  return (
    <SendPreviewDialog
      title="Send to campaign"
      text="Nobody is sent twice to the same campaign, and no credits are used."
      wanted={picked === '' ? null : wantedFor(picked)}
      onClose={onClose}
    >
      <CampaignField value={picked} onValue={setPicked} />
    </SendPreviewDialog>
  )
}
