import { bounds } from 'virtual:values'
import { useSessionQuery, useTeam, useV1Mutation, useV1Query, type V1Result } from '../../api/index.ts'
import {
  Button,
  Card,
  Loaded,
  Notice,
  safeHref,
  Switch,
  useEdited,
  useRefusal,
  TextLink,
  TextField,
} from '../../ui/index.ts'
import { EndpointState, Secret, TestEvent } from '../webhooks/endpoint-parts.tsx'
import { PushCaptured } from './header.tsx'
import type { Health } from './source.ts'

type Stored = V1Result<'getSourceWebhook'>

function useWebhookForm(sourceId: string, stored: Stored) {
  const { webhookUrl, icpOnly, autoSend, syncEvents } = stored
  const form = useEdited({ url: webhookUrl ?? '', icpOnly, autoSend, syncEvents })
  const save = useV1Mutation('updateSourceWebhook', {
    refreshes: ['sources', 'deliveries', 'settings'],
    quiet: true,
    done: (answer) => (answer.webhookUrl === null ? 'Webhook removed' : 'Webhook saved'),
  })
  const { url, ...switches } = form.value
  const trimmed = url.trim()
  const hasUrl = trimmed !== ''
  return {
    ...{ ...form.value, hasUrl },
    change: form.change,
    isChanged: form.isEdited,
    warns: hasUrl && safeHref(trimmed) === undefined && !save.isError,
    error: save.isError ? save.error.message : undefined,
    busy: save.isPending,
    submit: () =>
      save.mutate(
        { id: sourceId, ...switches, webhookUrl: trimmed, syncEvents: hasUrl && switches.syncEvents },
        { onSuccess: form.saved },
      ),
  }
}

function WebhookForm({ source, stored }: { source: Health; stored: Stored }) {
  const form = useWebhookForm(source.id, stored)
  const refusal = useRefusal('member')
  const locked = refusal ?? (source.status !== 'active' && 'This source is stopped: track it again first.')
  return (
    <form
      className="flex max-w-xl flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        form.submit()
      }}
    >
      {source.status !== 'active' && (
        <Notice>This source is stopped: nothing is delivered until it is tracked again.</Notice>
      )}
      <TextField
        label="Address"
        error={form.error}
        hint={
          form.warns
            ? 'It should begin with https:// and be reachable from the internet.'
            : 'Empty: nothing is delivered. Saving sends nothing that was captured before.'
        }
        type="url"
        inputMode="url"
        maxLength={bounds.webhookUrl}
        reason={locked}
        value={form.url}
        placeholder="https://hooks.example.com/leads"
        onValue={(url) => form.change({ url })}
      />

      <Switch
        value={form.autoSend}
        onValue={(autoSend) => form.change({ autoSend })}
        reason={locked}
        label="Send new leads by themselves"
        hint="Off: only what you push by hand."
      />
      <Switch
        value={form.icpOnly}
        onValue={(icpOnly) => form.change({ icpOnly })}
        reason={locked}
        label="Only leads that fit"
        hint="By the criteria of this source."
      />
      <Switch
        value={form.hasUrl && form.syncEvents}
        onValue={(syncEvents) => form.change({ syncEvents })}
        reason={locked || (!form.hasUrl && 'Type an address first.')}
        label="Also tell when a sync ends"
        hint="sync.completed and sync.failed"
      />

      <div>
        <Button
          type="submit"
          variant="primary"
          reason={locked || (!form.isChanged && 'Nothing has been changed.')}
          busy={form.busy}
        >
          Save webhook
        </Button>
      </div>
    </form>
  )
}

function Endpoint({ source }: { source: Health }) {
  const { data } = useSessionQuery('listEndpoints', {}, { topic: 'deliveries' })
  const endpoint = data?.endpoints.find((each) => each.ownerId === source.id)
  if (endpoint === undefined) return null
  return (
    <div className="flex flex-col gap-2">
      <EndpointState endpoint={endpoint} />
      <TextLink to="/webhooks" search={{ tab: 'log', ownerId: source.id }} className="w-fit text-sm">
        Deliveries of this source
      </TextLink>
    </div>
  )
}

export function Webhook({ source }: { source: Health }) {
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
