import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSessionQuery, useTeam, useV1Query } from '../../api/index.ts'
import { Card, Loaded, Notice } from '../../ui/index.ts'
import { EndpointState } from '../webhooks/endpoint-state.tsx'
import { Secret } from '../webhooks/secret.tsx'
import { TestEvent } from '../webhooks/test-event.tsx'
import { PushCaptured } from './push.tsx'
import type { Health } from './source.ts'
import { WebhookForm } from './webhook-form.tsx'

function Endpoint({ source }: { readonly source: Health }): ReactNode {
  const { data } = useSessionQuery('listEndpoints', {}, { topic: 'deliveries' })
  const endpoint = data?.endpoints.find((each) => each.ownerId === source.id)
  if (endpoint === undefined) return null
  return (
    <div className="flex flex-col gap-2">
      <EndpointState endpoint={endpoint} />
      <Link
        to="/webhooks"
        search={{ tab: 'log', ownerId: source.id }}
        className="w-fit text-sm text-accent-text underline underline-offset-2"
      >
        Deliveries of this source
      </Link>
    </div>
  )
}

/** The webhook of a source: its settings, its state, a test event, and the secret that receivers check signatures with. */
export function Webhook({ source }: { readonly source: Health }): ReactNode {
  const { can } = useTeam()
  const query = useV1Query(
    'getSourceWebhook',
    { id: source.id },
    { topic: 'settings', staleTime: 60_000, enabled: can('member') },
  )
  if (!can('member'))
    return (
      <Card title="Webhook">
        <Notice>
          Only members may see where leads are delivered: the signing secret is shown here. The page Webhooks shows the
          state of every address.
        </Notice>
      </Card>
    )
  return (
    <Card title="Webhook" text="Each new lead is posted to your address as JSON, signed.">
      <Loaded query={query}>
        {(stored) => (
          <div className="flex flex-col gap-6">
            <Endpoint source={source} />
            <WebhookForm key={source.id} source={source} stored={stored} />
            {stored.webhookUrl !== null && source.status === 'active' && (
              <>
                <TestEvent sourceId={source.id} />
                <PushCaptured sourceId={source.id} icpOnly={stored.icpOnly} />
              </>
            )}
            <Secret secret={stored.signingSecret} />
          </div>
        )}
      </Loaded>
    </Card>
  )
}
