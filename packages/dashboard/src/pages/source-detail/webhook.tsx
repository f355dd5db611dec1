import { useRead, useTeam, useWrite, type ResultOf } from '../../api/index.ts'
import { useRefusal } from '../../ui/button.tsx'
import { useEdited } from '../../ui/edited.ts'
import { FormFields, SaveForm } from '../../ui/form.tsx'
import { TextLink } from '../../ui/link.tsx'
import { Card, Loaded, Notice } from '../../ui/show.tsx'
import { safeHref } from '../../ui/text.tsx'
import { webhookFields } from '../sources/settings.tsx'
import { EndpointState, Secret, TestEvent } from '../webhooks/endpoint-parts.tsx'
import { PushCaptured } from './header.tsx'
import type { Health } from './source.ts'

type Stored = ResultOf<'getSourceWebhook'>

function WebhookForm({ source, stored }: { source: Health; stored: Stored }) {
  const { webhookUrl, icpOnly, autoSend, syncEvents } = stored
  const { value, change, isEdited, saved } = useEdited({ url: webhookUrl ?? '', icpOnly, autoSend, syncEvents })
  const save = useWrite('updateSourceWebhook', {
    quiet: true,
    done: (answer) => (answer.webhookUrl === null ? 'Webhook removed' : 'Webhook saved'),
  })
  const refusal = useRefusal()
  const isActive = source.status === 'active'
  const locked = refusal ?? (!isActive && 'This source is stopped: track it again first.')
  const url = value.url.trim()
  const hasUrl = url !== ''
  const hint =
    hasUrl && safeHref(url) === undefined && !save.isError
      ? 'It should begin with https:// and be reachable from the internet.'
      : 'Empty: nothing is delivered. Saving does not send leads captured before.'
  return (
    <SaveForm
      className="max-w-xl"
      submit="Save webhook"
      busy={save.isPending}
      reason={locked || (!isEdited && 'Nothing was changed.')}
      onSave={() => {
        const { url: _, ...switches } = value
        save.mutate(
          { id: source.id, ...switches, webhookUrl: url, syncEvents: hasUrl && switches.syncEvents },
          { onSuccess: saved },
        )
      }}
    >
      {!isActive && <Notice>This source is stopped: nothing is delivered until it is tracked again.</Notice>}
      <FormFields
        fields={webhookFields('this source', { hint, error: save.error?.message })}
        form={{ ...value, syncEvents: hasUrl && value.syncEvents }}
        onChange={change}
        reason={locked}
      />
    </SaveForm>
  )
}

function Endpoint({ source }: { source: Health }) {
  const { data } = useRead('listEndpoints', {})
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
  const query = useRead('getSourceWebhook', { id: source.id }, { staleTime: 60_000, enabled: can('member') })
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
