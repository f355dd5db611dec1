import { ChevronDown, ChevronUp } from 'lucide-react'
import { useEffect } from 'react'
import { ApiError } from '../../api/error.ts'
import { useSessionQuery } from '../../api/hooks.ts'
import type { SessionResult } from '../../api/types.ts'
import { Button, Drawer, EmptyState, Loaded } from '../../ui/index.ts'
import { DetailActs } from './bulk-bar.tsx'
import { DetailDelivery, DetailFit, DetailPerson, DetailTimeline } from './detail-parts.tsx'

export type Detail = SessionResult<'getLeadDetail'>

/** j and k lead to the leads around this one, outside of fields. */
function useNeighbourKeys(previous: string | undefined, next: string | undefined, onGo: (id: string) => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if ((event.target as Element).closest('input,textarea,select')) return
      const to = event.key === 'j' ? next : event.key === 'k' ? previous : undefined
      if (to === undefined) return
      event.preventDefault()
      onGo(to)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [next, previous, onGo])
}

function Neighbours({
  isListed,
  previous,
  next,
  onGo,
}: {
  isListed: boolean
  previous: string | undefined
  next: string | undefined
  onGo: (id: string) => void
}) {
  return (
    <span className="mr-auto flex gap-2">
      <Button
        reason={
          previous === undefined &&
          (isListed ? 'This is the first lead of the list.' : 'This lead is not among those that are loaded.')
        }
        icon={ChevronUp}
        onClick={() => previous !== undefined && onGo(previous)}
      >
        Previous
      </Button>
      <Button
        reason={
          next === undefined &&
          (isListed ? 'This is the last lead that is loaded.' : 'This lead is not among those that are loaded.')
        }
        icon={ChevronDown}
        onClick={() => next !== undefined && onGo(next)}
      >
        Next
      </Button>
    </span>
  )
}

export function LeadDetail({
  id,
  around,
  onGo,
  onClose,
}: {
  id: string
  around: readonly string[]
  onGo: (id: string) => void
  onClose: () => void
}) {
  const at = around.indexOf(id)
  const previous = at > 0 ? around[at - 1] : undefined
  const next = at >= 0 ? around[at + 1] : undefined
  useNeighbourKeys(previous, next, onGo)
  const query = useSessionQuery('getLeadDetail', { id }, { topic: 'leads' })
  const isGone = query.error instanceof ApiError && query.error.status === 404
  return (
    <Drawer
      onClose={onClose}
      size="lg"
      title={query.data ? (query.data.lead.name ?? 'Name not known yet') : isGone ? 'Not found' : 'Lead'}
      text={query.data?.lead.headline ?? undefined}
      actions={
        <>
          <Neighbours isListed={at >= 0} previous={previous} next={next} onGo={onGo} />
          {query.data && <DetailActs id={id} lead={query.data.lead} />}
        </>
      }
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
