import { useState, type ReactNode } from 'react'
import { bounds } from 'virtual:values'
import { useV1Mutation, type V1Result } from '../../api/index.ts'
import { Button, Field, Input, Notice, safeHref, Switch, useRefusal } from '../../ui/index.ts'
import type { Health } from './source.ts'

type Stored = V1Result<'getSourceWebhook'>

/** Where leads of a source are delivered, and which of them. */
export function WebhookForm({ source, stored }: { readonly source: Health; readonly stored: Stored }): ReactNode {
  const [url, setUrl] = useState(stored.webhookUrl ?? '')
  const [icpOnly, setIcpOnly] = useState(stored.icpOnly)
  const [autoSend, setAutoSend] = useState(stored.autoSend)
  const [syncEvents, setSyncEvents] = useState(stored.syncEvents)
  const save = useV1Mutation('updateSourceWebhook', {
    refreshes: ['sources', 'deliveries', 'settings'],
    quiet: true,
    done: (answer) => (answer.webhookUrl === null ? 'Webhook removed' : 'Webhook saved'),
  })
  const refusal = useRefusal('member')
  const locked = refusal ?? (source.status !== 'active' && 'This source is stopped: track it again first.')
  const trimmed = url.trim()
  const isChanged =
    trimmed !== (stored.webhookUrl ?? '') ||
    icpOnly !== stored.icpOnly ||
    autoSend !== stored.autoSend ||
    syncEvents !== stored.syncEvents
  const hasUrl = trimmed !== ''
  const warns = hasUrl && safeHref(trimmed) === undefined && !save.isError
  return (
    <form
      className="flex max-w-xl flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate({ id: source.id, webhookUrl: trimmed, icpOnly, autoSend, syncEvents: hasUrl && syncEvents })
      }}
    >
      {source.status !== 'active' && (
        <Notice>This source is stopped: nothing is delivered until it is tracked again.</Notice>
      )}
      <Field
        label="Address"
        error={save.isError ? save.error.message : undefined}
        hint={
          warns
            ? 'It should begin with https:// and be reachable from the internet.'
            : 'Empty: nothing is delivered. Saving sends nothing that was captured before.'
        }
      >
        <Input
          type="url"
          inputMode="url"
          maxLength={bounds.webhookUrl}
          reason={locked}
          value={url}
          placeholder="https://hooks.example.com/leads"
          onChange={(event) => setUrl(event.target.value)}
        />
      </Field>
      <Switch
        checked={autoSend}
        onChecked={setAutoSend}
        reason={locked}
        label="Send new leads by themselves"
        hint="Off: only what you push by hand."
      />
      <Switch
        checked={icpOnly}
        onChecked={setIcpOnly}
        reason={locked}
        label="Only leads that fit"
        hint="By the criteria of this source."
      />
      <Switch
        checked={hasUrl && syncEvents}
        onChecked={setSyncEvents}
        reason={locked || (!hasUrl && 'Type an address first.')}
        label="Also tell when a sync ends"
        hint="sync.completed and sync.failed"
      />
      <div>
        <Button
          type="submit"
          variant="primary"
          reason={locked || (!isChanged && 'Nothing has been changed.')}
          busy={save.isPending}
        >
          Save webhook
        </Button>
      </div>
    </form>
  )
}
