import type { FilterColumns } from '@les/contract'
import type { ReactNode } from 'react'
import { useWrite, type ResultOf } from '../../api/index.ts'
import { useRefusal, type Reason } from '../../ui/button.tsx'
import { useForm } from '../../ui/edited.ts'
import { leadColumns, leadRows } from '../../ui/filter-words.ts'
import { ConfirmButton, FormFields, SaveForm, useTried, type FormField } from '../../ui/form.tsx'
import { Notice } from '../../ui/show.tsx'
import { toast } from '../../ui/toast.tsx'
import { campaignFields, type CampaignDraft } from '../sources/settings.tsx'
import { pauseWords } from './words.ts'

type Draft = CampaignDraft & { readonly pushHistoric: boolean }

type CampaignFormProps = {
  columns: FilterColumns
  stored: (Pick<Draft, 'campaignId' | 'autoSend' | 'filters'> & { readonly campaignName?: string }) | null
  reason: Reason
  error: Error | null
  busy: boolean
  submit: string
  /** `onDone` is called once stored. Earlier leads are sent once: the next save asks again. */
  onSubmit: (draft: Draft, onDone: () => void) => void
  buttons: (clear: () => void) => ReactNode
}

export function CampaignForm({ columns, stored, reason, error, busy, submit, onSubmit, buttons }: CampaignFormProps) {
  const [draft, change] = useForm<Draft>({
    campaignId: stored?.campaignId ?? '',
    autoSend: stored?.autoSend ?? true,
    filters: stored?.filters ?? [],
    pushHistoric: false,
  })
  const fields: readonly FormField<Draft>[] = [
    ...campaignFields(columns, stored, error?.message),
    {
      name: 'pushHistoric',
      label: 'Also send leads captured before, once',
      hint: 'Nobody is sent twice to the same campaign.',
      as: 'checkbox',
    },
  ]
  const { isTried, attempt } = useTried(fields, draft)
  return (
    <SaveForm
      submit={submit}
      busy={busy}
      reason={reason}
      onSave={() => attempt(() => onSubmit(draft, () => change({ pushHistoric: false })))}
      others={buttons(() => change({ campaignId: '' }))}
    >
      <FormFields fields={fields} form={draft} onChange={change} reason={reason} isTried={isTried} />
    </SaveForm>
  )
}

type Rule = ResultOf<'getSourceOutreach'>['outreach']

function saved({ outreach, historic }: ResultOf<'updateSourceOutreach'>): void {
  if (outreach === null)
    toast.good('The rule was removed', 'Waiting leads are dropped; nobody is removed from the campaign.')
  else if (historic?.queueing)
    toast.good(
      'The rule is saved',
      `The ${historic.queueing.considered} leads captured before are checked in the background; those that match will be sent.`,
    )
  else
    toast.good(
      'The rule is saved',
      historic && `Of the leads captured before, ${historic.matched} match and ${historic.queued} will be sent.`,
    )
}

export function RuleForm({ sourceId, isActive, rule }: { sourceId: string; isActive: boolean; rule: Rule }) {
  const save = useWrite('updateSourceOutreach', { quiet: true, onSuccess: saved })
  const refusal = useRefusal()
  const pause = pauseWords(rule?.pausedReason ?? null)
  return (
    <div className="flex max-w-3xl flex-col gap-4">
      {!isActive && <Notice>This source is stopped: its leads are not sent until it is tracked again.</Notice>}
      {isActive && refusal !== null && <Notice>Only members may change outreach rules.</Notice>}
      {pause && (
        <Notice tone="bad" title={`This rule is paused. ${pause.why}`}>
          {pause.how}
        </Notice>
      )}
      <CampaignForm
        columns={leadColumns}
        stored={rule}
        reason={refusal ?? (!isActive && 'This source is stopped: track it again first.')}
        error={save.error}
        busy={save.isPending}
        submit={pause ? 'Save and start again' : rule ? 'Save rule' : 'Start sending'}
        onSubmit={({ filters, ...draft }, onDone) =>
          save.mutate({ id: sourceId, ...draft, filters: leadRows(filters) }, { onSuccess: onDone })
        }
        buttons={() =>
          rule && (
            <ConfirmButton
              title="Remove the rule?"
              confirm="Remove rule"
              text="Leads of this source are no longer sent, and waiting leads are dropped. Nobody is removed from the campaign."
              onConfirm={() => save.mutateAsync({ id: sourceId, campaignId: null })}
            >
              Remove rule
            </ConfirmButton>
          )
        }
      />
    </div>
  )
}
