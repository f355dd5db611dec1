import { ChevronDown, ChevronUp } from 'lucide-react'
import { isNotFound } from '../../api/error.ts'
import { useRead } from '../../api/hooks.ts'
import type { ResultOf } from '../../api/types.ts'
import { useKeys } from '../../shell/page-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Drawer } from '../../ui/dialog.tsx'
import { Loaded } from '../../ui/show.tsx'
import { ExcludeMenu } from '../exclusions/exclude.tsx'
import { DetailResults } from './results.tsx'
import { SendActs } from './send-acts.tsx'
import { DetailDelivery, DetailExcluded, DetailFit, DetailPerson, DetailTimeline } from './detail-parts.tsx'

export type Detail = ResultOf<'getLeadDetail'>

/** The keys j and k lead to the neighbouring leads, except in fields. */
function useNeighbourKeys(previous: string | undefined, next: string | undefined, onGo: (id: string) => void): void {
  useKeys((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if ((event.target as Element).closest('input,textarea,select')) return
    const to = event.key === 'j' ? next : event.key === 'k' ? previous : undefined
    if (to === undefined) return
    event.preventDefault()
    onGo(to)
  })
}

type LeadDetailProps = { id: string; around: readonly string[]; onGo: (id: string) => void; onClose: () => void }

export function LeadDetail({ id, around, onGo, onClose }: LeadDetailProps) {
  const at = around.indexOf(id)
  const previous = at > 0 ? around[at - 1] : undefined
  const next = at >= 0 ? around[at + 1] : undefined
  useNeighbourKeys(previous, next, onGo)
  const query = useRead('getLeadDetail', { id })
  const { data } = query
  const isGone = isNotFound(query.error)
  const neighbours = [
    { label: 'Previous', to: previous, icon: ChevronUp, end: 'This is the first lead of the list.' },
    { label: 'Next', to: next, icon: ChevronDown, end: 'This is the last lead that is loaded.' },
  ]
  return (
    <Drawer
      onClose={onClose}
      size="lg"
      title={data ? (data.lead.name ?? 'Name not known yet') : isGone ? 'Not found' : 'Lead'}
      text={data?.lead.headline ?? undefined}
      actions={
        <>
          <span className="mr-auto flex gap-2">
            {neighbours.map(({ label, to, icon, end }) => (
              <Button
                key={label}
                reason={to === undefined && (at >= 0 ? end : 'This lead is not among those that are loaded.')}
                icon={icon}
                onClick={() => to !== undefined && onGo(to)}
              >
                {label}
              </Button>
            ))}
          </span>
          {data && <ExcludeMenu person={data.lead} />}
          {data && <SendActs leads={{ by: 'ids', ids: [id] }} push={data.lead.sourceId !== null} />}
        </>
      }
    >
      <Loaded
        query={query}
        lines={8}
        gone={{
          title: 'There is no such lead',
          text: 'It was removed, or the address belongs to another team.',
          action: (
            <Button variant="primary" onClick={onClose}>
              Back to the list
            </Button>
          ),
        }}
      >
        {(detail) => (
          <div className="flex flex-col gap-6">
            <DetailExcluded lead={detail.lead} />
            <DetailPerson lead={detail.lead} />
            <DetailResults lead={detail.lead} />
            <DetailFit fit={detail.fit} />
            <DetailTimeline detail={detail} />
            <DetailDelivery detail={detail} />
          </div>
        )}
      </Loaded>
    </Drawer>
  )
}
