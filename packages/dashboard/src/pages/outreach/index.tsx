import { textOf } from '../../shell/navigation.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSessionQuery, useV1Query } from '../../api/index.ts'
import { Loaded, PageFrame, Tabs } from '../../ui/index.ts'
import { Campaigns } from './campaigns.tsx'
import { Connection } from './connection.tsx'
import { Results } from './results.tsx'
import { Rules } from './rules.tsx'

/** The page "Outreach": the connection, its campaigns, the rules that send, and what was sent. */
export function Page(): ReactNode {
  const { tab = 'results' } = useSearch({ from: '/signed-in/team/outreach' })
  const navigate = useNavigate({ from: '/outreach' })
  const connection = useV1Query('getOutreach', {}, { topic: 'outreach' })
  const results = useSessionQuery('listOutreachResults', {}, { topic: 'outreach' })
  return (
    <PageFrame title="Outreach" text={textOf('/outreach')}>
      <Loaded query={connection} lines={2}>
        {(data) => <Connection connection={data} />}
      </Loaded>
      <Tabs
        label="Outreach"
        value={tab}
        onValue={(next) => void navigate({ search: next === 'results' ? {} : { tab: next } })}
        tabs={[
          {
            value: 'results',
            label: 'Results',
            content: <Loaded query={results}>{(data) => <Results results={data.campaigns} />}</Loaded>,
          },
          {
            value: 'rules',
            label: 'Rules',
            content: (
              <Loaded query={results}>
                {(data) => <Rules listed={data.rules} owned={connection.data?.autoPush ?? []} />}
              </Loaded>
            ),
          },
          {
            value: 'campaigns',
            label: 'Campaigns',
            content: <Campaigns connected={connection.data?.connected ?? false} />,
          },
        ]}
      />
    </PageFrame>
  )
}
