import { useNavigate, useSearch } from '@tanstack/react-router'
import { PageFrame, Tabs } from '../../ui/index.ts'
import { Endpoints } from './endpoints.tsx'
import { Log } from './log.tsx'
import { Verify } from './debugger.tsx'

export function Page() {
  const { tab = 'endpoints' } = useSearch({ from: '/signed-in/team/webhooks' })
  const navigate = useNavigate({ from: '/webhooks' })
  return (
    <PageFrame of="/webhooks">
      <Tabs
        label="Webhooks"
        value={tab}
        onValue={(next) => void navigate({ search: next === 'endpoints' ? {} : { tab: next } })}
        tabs={[
          { value: 'endpoints', label: 'Addresses', content: <Endpoints /> },
          { value: 'log', label: 'Deliveries', content: <Log /> },
          { value: 'verify', label: 'Signatures', content: <Verify /> },
        ]}
      />
    </PageFrame>
  )
}
