import { Link } from '@tanstack/react-router'
import { Plug, PlugZap } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTeam, type V1Result } from '../../api/index.ts'
import { Badge, buttonClass, Card, TimeAgo } from '../../ui/index.ts'

/** Whether the outreach platform is connected, and where its key is kept. */
export function Connection({ connection }: { readonly connection: V1Result<'getOutreach'> }): ReactNode {
  const { can } = useTeam()
  const { connected, connectedAt, keyRejected } = connection
  const text = keyRejected
    ? 'The platform refused the stored key: nothing is sent until an owner stores a good one.'
    : connected
      ? 'Leads can be sent to its campaigns, by rules or by hand from the list of leads.'
      : 'Store the key of your outreach platform, then send leads to its ' +
        'campaigns by rules or by hand. Once stored, the key is never shown again.'
  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <div className="flex min-w-0 items-start gap-3">
          <span className="mt-0.5 text-muted" aria-hidden="true">
            {connected && !keyRejected ? <PlugZap size={20} /> : <Plug size={20} />}
          </span>
          <div className="min-w-0">
            <p className="flex flex-wrap items-center gap-2 text-sm font-semibold">
              Outreach platform{' '}
              <Badge tone={keyRejected ? 'bad' : connected ? 'good' : 'neutral'}>
                {keyRejected ? 'Key refused' : connected ? 'Connected' : 'Not connected'}
              </Badge>
              {connected && connectedAt && (
                <span className="font-normal text-muted">
                  <TimeAgo at={connectedAt} />
                </span>
              )}
            </p>
            <p className="max-w-2xl text-sm text-muted">{text}</p>
          </div>
        </div>
        <Link
          to="/settings"
          search={{ tab: 'credentials' }}
          className={buttonClass(connected && !keyRejected ? 'secondary' : 'primary')}
        >
          {!can('owner') ? 'Where the key is kept' : connected ? 'Change the key' : 'Store the key'}
        </Link>
      </div>
    </Card>
  )
}
