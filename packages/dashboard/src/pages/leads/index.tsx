import { useState } from 'react'
import { RoleButton } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { PageFrame, Served, Tabs } from '../../ui/page.tsx'
import type { leadTabs } from '../../app/searches.ts'
import { useAddress } from './address.ts'
import { ActionsSlot } from './filter-bar.tsx'
import { EngagerList, LeadList, RawList, useSources } from './lists.tsx'

// Loaded after the list, since they open from it.
const LeadDetail = lazyPart(() => import('./detail.tsx').then((module) => module.LeadDetail), 0)
const ExportFile = lazyPart(() => import('./export-file.tsx').then((module) => module.ExportFile), 0)

export function Page() {
  const address = useAddress()
  const sources = useSources()
  const { search, change } = address
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  const [loaded, setLoaded] = useState<readonly string[]>([])
  const [isAsking, setAsking] = useState(false)
  const parts = { address, sources }
  return (
    <PageFrame
      of="/leads"
      dense
      actions={
        <>
          <RoleButton onClick={() => setAsking(true)}>Make a file</RoleButton>
          <span ref={setSlot} className="flex flex-wrap gap-2" />
        </>
      }
    >
      <ActionsSlot value={slot}>
        <Served>
          <ExportFile isAsking={isAsking} onAsked={() => setAsking(false)} />
          <Tabs<(typeof leadTabs)[number]>
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
        <LeadDetail
          id={search.lead}
          around={loaded}
          onGo={(lead) => change({ lead }, { replace: true })}
          onClose={() => change({ lead: undefined })}
        />
      )}
    </PageFrame>
  )
}
