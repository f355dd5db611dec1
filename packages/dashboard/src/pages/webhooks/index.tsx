import { useAddress } from '../../app/address.ts'
import { PageFrame, Tabs } from '../../ui/page.tsx'
import { Endpoints } from './endpoints.tsx'
import { Log } from './log.tsx'
import { Verify } from './debugger.tsx'

export function Page() {
  const { tabs } = useAddress('/signed-in/team/webhooks')
  return (
    <PageFrame of="/webhooks">
      <Tabs
        label="Webhooks"
        {...tabs('endpoints')}
        tabs={[
          { value: 'endpoints', label: 'Addresses', content: <Endpoints /> },
          { value: 'log', label: 'Deliveries', content: <Log /> },
          { value: 'verify', label: 'Signatures', content: <Verify /> },
        ]}
      />
    </PageFrame>
  )
}
