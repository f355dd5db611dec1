import { useAddress } from '../../app/address.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { PageFrame, Tabs } from '../../ui/page.tsx'
import { AccountTab, Connections, SessionsTab } from './account.tsx'
import { CredentialsTab } from './credentials.tsx'
import { KeysTab, SecretTab } from './keys.tsx'
import { MembersTab, TeamTab } from './team.tsx'

const AuditTab = lazyPart(() => import('./audit.tsx').then((module) => module.AuditTab))

export function Page() {
  const { tabs } = useAddress('/signed-in/team/settings')
  return (
    <PageFrame of="/settings">
      <Tabs
        label="Settings"
        {...tabs('team')}
        tabs={[
          { value: 'team', label: 'Team', content: <TeamTab /> },
          { value: 'members', label: 'Members', content: <MembersTab /> },
          { value: 'keys', label: 'API keys', content: <KeysTab /> },
          { value: 'credentials', label: 'AI and outreach keys', content: <CredentialsTab /> },
          { value: 'secret', label: 'Webhook secret', content: <SecretTab /> },
          { value: 'audit', label: 'Audit log', content: <AuditTab /> },
          {
            value: 'sessions',
            label: 'Your sessions',
            content: (
              <div className="flex flex-col gap-4">
                <SessionsTab />
                <Connections />
              </div>
            ),
          },
          { value: 'account', label: 'Your account', content: <AccountTab /> },
        ]}
      />
    </PageFrame>
  )
}
