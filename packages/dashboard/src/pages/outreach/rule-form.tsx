import { Link } from '@tanstack/react-router'
import { useState, type ComponentProps } from 'react'
import { hasCode, useV1Mutation, useV1Query, type V1Result } from '../../api/index.ts'
import {
  Button,
  Checkbox,
  ConfirmDialog,
  FilterRows,
  leadColumns,
  leadRows,
  Notice,
  rowFaults,
  Skeleton,
  Switch,
  toast,
  useRefusal,
  type EditedRow,
  type Reason,
  SelectField,
} from '../../ui/index.ts'
import { campaignState, closedWords, pauseWords } from './words.ts'

function NoCampaigns({ error, retry }: { error: Error | null; retry: () => void }) {
  const settings = (
    <Link to="/settings" search={{ tab: 'credentials' }} className="font-medium underline underline-offset-2">
      Open Settings
    </Link>
  )
  if (hasCode(error, 'not_connected'))
    return (
      <Notice tone="info" title="The outreach platform is not connected" action={settings}>
        An owner of the team stores its key under Settings; then its campaigns appear here.
      </Notice>
    )
  if (hasCode(error, 'invalid_key'))
    return (
      <Notice tone="bad" title="The outreach platform refuses the stored key" action={settings}>
        An owner of the team has to store a good one under Settings.
      </Notice>
    )
  const again = (
    <Button size="sm" onClick={retry}>
      Try again
    </Button>
  )
  return (
    <Notice tone="warn" title="The campaigns could not be read" action={again}>
      {error?.message}
    </Notice>
  )
}

export function CampaignField({
  value,
  onValue,
  known,
  reason,
  error,
}: {
  value: string
  onValue: (id: string) => void
  known?: { readonly id: string; readonly name: string } | undefined
  reason?: Reason
  error?: string | undefined
}) {
  const query = useV1Query('listCampaigns', {}, { topic: 'outreach', staleTime: 60_000 })
  if (query.isPending) return <Skeleton lines={1} />
  if (query.data === undefined || hasCode(query.error, 'not_connected') || hasCode(query.error, 'invalid_key'))
    return <NoCampaigns error={query.error} retry={() => void query.refetch()} />
  const campaigns = query.data.campaigns
  const isGone = known !== undefined && !campaigns.some((campaign) => campaign.id === known.id)
  const choices = [
    { value: '', label: campaigns.length === 0 ? 'No campaign that is running or planned' : 'Choose a campaign…' },
    ...campaigns.map((campaign) => ({
      value: campaign.id,
      label: campaign.canTakeLeads
        ? `${campaign.name} (${campaignState(campaign.status)})`
        : `${campaign.name} (${closedWords(campaign)})`,
      disabled: !campaign.canTakeLeads,
    })),
    ...(isGone ? [{ value: known.id, label: `${known.name} (over)`, disabled: true }] : []),
  ]
  return (
    <SelectField label="Campaign" error={error} value={value} onValue={onValue} reason={reason} choices={choices} />
  )
}

/** The rule of a source, or null when it has none. */
type Rule = V1Result<'getSourceOutreach'>['outreach']

const historicWords = ({
  matched,
  queued,
  queueing,
}: NonNullable<V1Result<'updateSourceOutreach'>['historic']>): string =>
  queueing
    ? `The ${queueing.considered} leads captured before are looked at in the background; those that match will be sent.`
    : `Of the leads captured before, ${matched} match and ${queued} will be sent.`

function saved(answer: V1Result<'updateSourceOutreach'>): void {
  if (answer.outreach === null)
    return void toast.good('The rule was removed', 'What was waiting is dropped; nobody is taken out of the campaign.')
  const { historic } = answer
  toast.good('The rule is saved', historic && historicWords(historic))
}

function RemoveRule(dialog: Pick<ComponentProps<typeof ConfirmDialog>, 'open' | 'onClose' | 'onConfirm'>) {
  return (
    <ConfirmDialog
      {...dialog}
      danger
      title="Remove the rule?"
      confirm="Remove rule"
      text="Leads of this source are no longer sent, and what is waiting is dropped. Nobody is taken out of the campaign."
    />
  )
}

function useRuleForm(sourceId: string, rule: Rule) {
  const [campaignId, setCampaignId] = useState(rule?.campaignId ?? '')
  const [autoSend, setAutoSend] = useState(rule?.autoSend ?? true)
  const [filters, setFilters] = useState<readonly EditedRow[]>(rule?.filters ?? [])
  const [historic, setHistoric] = useState(false)
  const [isTried, setTried] = useState(false)
  const save = useV1Mutation('updateSourceOutreach', {
    refreshes: ['outreach', 'sources'],
    quiet: true,
    onSuccess: saved,
  })
  const faults = rowFaults(leadColumns, filters)
  const submit = () => {
    setTried(true)
    if (campaignId !== '' && Object.keys(faults).length === 0)
      save.mutate({ id: sourceId, campaignId, autoSend, filters: leadRows(filters), pushHistoric: historic })
  }
  return {
    ...{ campaignId, setCampaignId, autoSend, setAutoSend, filters, setFilters, historic, setHistoric },
    campaignError: isTried && campaignId === '' ? 'Choose a campaign' : save.isError ? save.error.message : undefined,
    rowErrors: isTried ? faults : {},
    submit,
    remove: () => save.mutateAsync({ id: sourceId, campaignId: null }),
    busy: save.isPending,
  }
}

export function RuleForm({ sourceId, isActive, rule }: { sourceId: string; isActive: boolean; rule: Rule }) {
  const form = useRuleForm(sourceId, rule)
  const [removing, setRemoving] = useState(false)
  const refusal = useRefusal('member')
  const reason = refusal ?? (!isActive && 'This source is stopped: track it again first.')
  const pause = pauseWords(rule?.pausedReason ?? null)
  return (
    <form
      className="flex max-w-3xl flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        form.submit()
      }}
    >
      {!isActive && <Notice>This source is stopped: nothing of it is sent until it is tracked again.</Notice>}
      {isActive && !(refusal === null) && <Notice>Only members may change outreach rules.</Notice>}
      {pause && (
        <Notice tone="bad" title={`This rule stands still. ${pause.why}`}>
          {pause.how}
        </Notice>
      )}

      <CampaignField
        value={form.campaignId}
        onValue={form.setCampaignId}
        reason={reason}
        known={rule ? { id: rule.campaignId, name: rule.campaignName } : undefined}
        error={form.campaignError}
      />
      <Switch
        value={form.autoSend}
        onValue={form.setAutoSend}
        reason={reason}
        label="Send by themselves"
        hint="Each lead goes once it was looked up. Off: only what you send by hand."
      />
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-2 text-sm font-medium">Only leads that match every row</legend>
        <FilterRows
          label="Which leads are sent"
          columns={leadColumns}
          value={form.filters}
          onChange={form.setFilters}
          errors={form.rowErrors}
          reason={reason}
          empty="No rows: every enriched lead is sent."
        />
      </fieldset>
      <Checkbox
        value={form.historic}
        onValue={form.setHistoric}
        reason={reason}
        label="Also send leads captured before, once"
        hint="Nobody is sent twice to the same campaign."
      />

      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" reason={reason} busy={form.busy}>
          {pause ? 'Save and start again' : rule ? 'Save rule' : 'Start sending'}
        </Button>
        {rule && (
          <Button reason={refusal} onClick={() => setRemoving(true)}>
            Remove rule
          </Button>
        )}
      </div>
      <RemoveRule open={removing} onClose={() => setRemoving(false)} onConfirm={form.remove} />
    </form>
  )
}
