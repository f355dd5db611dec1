import type { ReactNode } from 'react'
import { PageFrame, Served, Tabs } from '../../ui/index.ts'
import { useAddress } from './address.ts'
import { LeadDetail } from './detail.tsx'
import { EngagerList } from './engager-list.tsx'
import { LeadList } from './lead-list.tsx'
import { RawList } from './raw-list.tsx'
import type { tabs } from './search.ts'
import { useSources } from './sources.ts'

type TabName = (typeof tabs)[number]

/** The page "Leads": everyone who engaged, as engagements, as people, or raw; filters, tab and open lead are in its address. */
export function Page(): ReactNode {
  const address = useAddress()
  const sources = useSources()
  const { search, change } = address
  const parts = { address, sources }
  return (
    <PageFrame
      title="Leads"
      text="Everyone who engaged with what you track: who they are, whether they fit, and where they were sent."
    >
      <Served>
        <Tabs<TabName>
          label="Lists"
          value={search.tab ?? 'leads'}
          onValue={(tab) => change({ tab: tab === 'leads' ? undefined : tab, lead: undefined })}
          tabs={[
            { value: 'leads', label: 'Leads', content: <LeadList {...parts} /> },
            { value: 'engagers', label: 'People', content: <EngagerList {...parts} /> },
            { value: 'raw', label: 'Raw leads', content: <RawList {...parts} /> },
          ]}
        />
      </Served>
      {search.lead !== undefined && (
        <LeadDetail key={search.lead} id={search.lead} onClose={() => change({ lead: undefined })} />
      )}
    </PageFrame>
  )
}
