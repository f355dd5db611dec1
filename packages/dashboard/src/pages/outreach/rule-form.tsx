import type { FilterColumns } from '@les/contract'
import type { ReactNode } from 'react'
import { useWrite, type ResultOf } from '../../api/index.ts'
import { useRefusal, type Reason } from '../../ui/button.tsx'
import { useForm } from '../../ui/edited.ts'
import { bound, Checkbox, Switch } from '../../ui/field.tsx'
import { FilterRows, useRowFaults } from '../../ui/filter-rows.tsx'
import { leadColumns, leadRows, rowFaults, type EditedRow } from '../../ui/filter-words.ts'
import { ConfirmButton, SaveForm } from '../../ui/form.tsx'
import { Notice } from '../../ui/show.tsx'
import { toast } from '../../ui/toast.tsx'
import { CampaignField } from '../../sends/index.ts'
import { pauseWords } from './words.ts'

export type CampaignDraft = {
  readonly campaignId: string
  readonly autoSend: boolean
  readonly filters: readonly EditedRow[]
}

type CampaignFieldsProps = {
  columns: FilterColumns
  stored: { readonly campaignId: string; readonly campaignName?: string } | null
  value: CampaignDraft
  onChange: (part: Partial<CampaignDraft>) => void
  isTried: boolean
  reason?: Reason
  error?: string | undefined
}

export function CampaignFields({ columns, stored, value, onChange, isTried, reason, error }: CampaignFieldsProps) {
  return (
    <>
      <CampaignField
        {...bound(value, onChange, 'campaignId')}
        known={stored?.campaignName === undefined ? undefined : { id: stored.campaignId, name: stored.campaignName }}
        reason={reason}
        error={isTried && value.campaignId === '' ? 'Choose a campaign' : error}
      />
      <Switch
        {...bound(value, onChange, 'autoSend')}
        reason={reason}
        label="Send new leads by themselves"
        hint="Each lead is sent once its details were looked up. Off: only leads you send by hand."
      />
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-2 text-sm font-medium">Only leads that match every row</legend>
        <FilterRows
          label="Which leads are sent"
          columns={columns}
          value={value.filters}
          onChange={(filters) => onChange({ filters })}
          errors={isTried ? rowFaults(columns, value.filters) : {}}
          reason={reason}
          empty="No rows: every enriched lead is sent."
        />
      </fieldset>
    </>
  )
}

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
  const { isTried, attempt } = useRowFaults(columns, draft.filters)
  return (
    <SaveForm
      submit={submit}
      busy={busy}
      reason={reason}
      onSave={() => attempt(() => draft.campaignId !== '' && onSubmit(draft, () => change({ pushHistoric: false })))}
      others={buttons(() => change({ campaignId: '' }))}
    >
      <CampaignFields
        {...{ columns, stored, isTried, reason }}
        value={draft}
        onChange={change}
        error={error?.message}
      />
      <Checkbox
        {...bound(draft, change, 'pushHistoric')}
        reason={reason}
        label="Also send leads captured before, once"
        hint="Nobody is sent twice to the same campaign."
      />
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
