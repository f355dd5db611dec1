import { useState, type ReactNode } from 'react'
import { SendPreviewDialog } from '../../sends/index.ts'
import { RoleButton } from '../../ui/index.ts'

/** Sends what was captured before the address was set, and what failed, after a preview; nobody who was delivered goes again. */
export function PushCaptured({
  sourceId,
  icpOnly,
}: {
  readonly sourceId: string
  readonly icpOnly: boolean
}): ReactNode {
  const [open, setOpen] = useState(false)
  return (
    <div className="flex flex-wrap items-center gap-3">
      <RoleButton needs="member" onClick={() => setOpen(true)}>
        Send leads captured before…
      </RoleButton>
      <span className="text-[0.8125rem] text-muted">
        {icpOnly
          ? 'Those that fit and were not delivered yet, and what failed.'
          : 'All that were not delivered yet, and what failed.'}
      </span>
      {open && (
        <SendPreviewDialog
          title="Send leads captured before"
          text="To the webhook of this source."
          wanted={{ kind: 'push', leads: { by: 'source', sourceId }, fit: 'webhook' }}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}
