import type { FilterColumns } from '@les/contract'
import { CampaignField } from '../../sends/index.ts'
import { bound, FilterRows, rowFaults, Switch, type EditedRow, type Reason } from '../../ui/index.ts'

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
  /** Whether what is missing is said. */
  isTried: boolean
  reason?: Reason
  error?: string | undefined
}

/** Which leads go to which campaign. */
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
        hint="Each lead goes once it was looked up. Off: only what you send by hand."
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
