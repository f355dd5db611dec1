import type { ReactNode } from 'react'
import { ApiError } from '../../api/error.ts'
import { useSessionQuery } from '../../api/hooks.ts'
import type { SessionResult } from '../../api/types.ts'
import { Button, Drawer, EmptyState, Loaded } from '../../ui/index.ts'
import { DetailDelivery } from './detail-delivery.tsx'
import { DetailFit } from './detail-fit.tsx'
import { DetailPerson } from './detail-person.tsx'
import { DetailTimeline } from './detail-timeline.tsx'

/** A lead with everything known about it. */
export type Detail = SessionResult<'getLeadDetail'>

/** The detail of one lead in a panel: who it is, whether they fit and why, what they did, and where the lead went. */
export function LeadDetail({ id, onClose }: { readonly id: string; readonly onClose: () => void }): ReactNode {
  const query = useSessionQuery('getLeadDetail', { id }, { topic: 'leads' })
  const isGone = query.error instanceof ApiError && query.error.status === 404
  return (
    <Drawer
      open
      onOpen={(open) => !open && onClose()}
      size="lg"
      title={query.data ? (query.data.lead.name ?? 'Name not known yet') : isGone ? 'Not found' : 'Lead'}
      text={query.data?.lead.headline ?? undefined}
    >
      {isGone ? (
        <EmptyState
          title="There is no such lead"
          text="It was removed, or the address belongs to another team."
          action={
            <Button variant="primary" onClick={onClose}>
              Back to the list
            </Button>
          }
        />
      ) : (
        <Loaded query={query} lines={8}>
          {(detail) => (
            <div className="flex flex-col gap-6">
              <DetailPerson lead={detail.lead} />
              <DetailFit fit={detail.fit} />
              <DetailTimeline detail={detail} />
              <DetailDelivery detail={detail} />
            </div>
          )}
        </Loaded>
      )}
    </Drawer>
  )
}
