import { lazy, Suspense, useState } from 'react'
import { textOf } from '../../shell/navigation.ts'
import { PageFrame, Served, Tabs } from '../../ui/index.ts'
import { useAddress } from './address.ts'
import { ActionsSlot } from './filter-bar.tsx'
import { EngagerList, LeadList, RawList, useSources } from './lists.tsx'
import type { tabs } from './search.ts'

// Most visits open no lead: what shows one comes when it is asked for.
const LeadDetail = lazy(() => import('./detail.tsx').then((module) => ({ default: module.LeadDetail })))

type TabName = (typeof tabs)[number]

export function Page() {
  const address = useAddress()
  const sources = useSources()
  const { search, change } = address
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  const [loaded, setLoaded] = useState<readonly string[]>([])
  const parts = { address, sources }
  return (
    <PageFrame
      title="Leads"
      text={textOf('/leads')}
      dense
      actions={<span ref={setSlot} className="flex flex-wrap gap-2" />}
    >
      <ActionsSlot value={slot}>
        <Served>
          <Tabs<TabName>
            label="Lists"
            value={search.tab ?? 'leads'}
            onValue={(tab) => change({ tab: tab === 'leads' ? undefined : tab, lead: undefined })}
            tabs={[
              { value: 'leads', label: 'Leads', content: <LeadList {...parts} onLoaded={setLoaded} /> },
              { value: 'engagers', label: 'People', content: <EngagerList {...parts} onLoaded={setLoaded} /> },
              { value: 'raw', label: 'Raw leads', content: <RawList {...parts} /> },
            ]}
          />
        </Served>
      </ActionsSlot>
      {search.lead !== undefined && (
        <Suspense fallback={null}>
          <LeadDetail
            id={search.lead}
            around={loaded}
            onGo={(lead) => change({ lead }, true)}
            onClose={() => change({ lead: undefined })}
          />
        </Suspense>
      )}
    </PageFrame>
  )
}
