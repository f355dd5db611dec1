import { useState, type ReactNode } from 'react'
import { bounds } from 'virtual:values'
import { useV1Mutation, type V1Result } from '../../api/index.ts'
import { Button, Field, Input, Notice, safeHref, Switch, useRefusal, type Reason } from '../../ui/index.ts'
import type { Health } from './source.ts'

type Stored = V1Result<'getSourceWebhook'>

/** What is typed in the form, whether it differs from what is stored, and what saves it. */
function useWebhookForm(sourceId: string, stored: Stored) {
  const [url, setUrl] = useState(stored.webhookUrl ?? '')
  const [icpOnly, setIcpOnly] = useState(stored.icpOnly)
  const [autoSend, setAutoSend] = useState(stored.autoSend)
  const [syncEvents, setSyncEvents] = useState(stored.syncEvents)
  const save = useV1Mutation('updateSourceWebhook', {
    refreshes: ['sources', 'deliveries', 'settings'],
    quiet: true,
    done: (answer) => (answer.webhookUrl === null ? 'Webhook removed' : 'Webhook saved'),
  })
  const trimmed = url.trim()
  const hasUrl = trimmed !== ''
  return {
    ...{ url, setUrl, icpOnly, setIcpOnly, autoSend, setAutoSend, syncEvents, setSyncEvents, hasUrl },
    isChanged:
      trimmed !== (stored.webhookUrl ?? '') ||
      icpOnly !== stored.icpOnly ||
      autoSend !== stored.autoSend ||
      syncEvents !== stored.syncEvents,
    warns: hasUrl && safeHref(trimmed) === undefined && !save.isError,
    error: save.isError ? save.error.message : undefined,
    busy: save.isPending,
    submit: () =>
      save.mutate({ id: sourceId, webhookUrl: trimmed, icpOnly, autoSend, syncEvents: hasUrl && syncEvents }),
  }
}

type FieldProps = { readonly form: ReturnType<typeof useWebhookForm>; readonly locked: Reason }

function AddressField({ form, locked }: FieldProps): ReactNode {
  return (
    <Field
      label="Address"
      error={form.error}
      hint={
        form.warns
          ? 'It should begin with https:// and be reachable from the internet.'
          : 'Empty: nothing is delivered. Saving sends nothing that was captured before.'
      }
    >
      <Input
        type="url"
        inputMode="url"
        maxLength={bounds.webhookUrl}
        reason={locked}
        value={form.url}
        placeholder="https://hooks.example.com/leads"
        onChange={(event) => form.setUrl(event.target.value)}
      />
    </Field>
  )
}

function WhatIsSent({ form, locked }: FieldProps): ReactNode {
  return (
    <>
      <Switch
        checked={form.autoSend}
        onChecked={form.setAutoSend}
        reason={locked}
        label="Send new leads by themselves"
        hint="Off: only what you push by hand."
      />
      <Switch
        checked={form.icpOnly}
        onChecked={form.setIcpOnly}
        reason={locked}
        label="Only leads that fit"
        hint="By the criteria of this source."
      />
      <Switch
        checked={form.hasUrl && form.syncEvents}
        onChecked={form.setSyncEvents}
        reason={locked || (!form.hasUrl && 'Type an address first.')}
        label="Also tell when a sync ends"
        hint="sync.completed and sync.failed"
      />
    </>
  )
}

/** Where leads of a source are delivered, and which of them. */
export function WebhookForm({ source, stored }: { readonly source: Health; readonly stored: Stored }): ReactNode {
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
      <AddressField form={form} locked={locked} />
      <WhatIsSent form={form} locked={locked} />
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
