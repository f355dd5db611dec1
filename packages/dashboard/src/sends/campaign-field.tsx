import { hasCode } from '../api/error.ts'
import { useRead } from '../api/hooks.ts'
import { campaignState, closedWords, type Campaign } from '../pages/outreach/words.ts'
import type { ReactNode } from 'react'
import type { Reason } from '../ui/button.tsx'
import { SelectField } from '../ui/field.tsx'
import { PrimaryLink } from '../ui/link.tsx'
import { EmptyState, Loaded } from '../ui/show.tsx'

export const toKeySettings = (
  <PrimaryLink to="/settings" search={{ tab: 'credentials' }}>
    Open the key settings
  </PrimaryLink>
)

const keyProblems = [
  {
    code: 'not_connected',
    title: 'Outreach is not connected',
    text: 'Once an owner of the team stores the key of the outreach platform, its campaigns appear here.',
  },
  {
    code: 'invalid_key',
    title: 'The outreach platform refuses the stored key',
    text: 'It was changed or revoked there. An owner of the team has to store a valid one.',
  },
] as const

function nameWords({ name, status, canTakeLeads }: Campaign): string {
  if (!canTakeLeads) return `${name} (${closedWords({ status })})`
  if (status === 'IN_PROGRESS') return name
  return `${name} (${status === 'PAUSED' ? 'paused: stays paused' : campaignState(status)})`
}

type CampaignFieldProps = {
  value: string
  onValue: (id: string) => void
  /** The stored campaign, which the platform may no longer list. */
  known?: { readonly id: string; readonly name: string } | undefined
  reason?: Reason
  error?: ReactNode
}

/** Chooses a campaign, read live from the platform; explains what to do when none can be chosen. */
export function CampaignField({ value, onValue, known, reason, error }: CampaignFieldProps) {
  const query = useRead('listCampaigns', {}, { staleTime: 30_000 })
  const problem = keyProblems.find(({ code }) => hasCode(query.error, code))
  if (problem) return <EmptyState title={problem.title} text={problem.text} action={toKeySettings} />
  return (
    <Loaded query={query} lines={2}>
      {({ campaigns }) => (
        <SelectField
          label="Campaign"
          hint="Read live from the outreach platform."
          error={error}
          reason={reason}
          value={value}
          onValue={onValue}
          choices={[
            {
              value: '',
              label: campaigns.length === 0 ? 'No campaign that is running or planned' : 'Choose a campaign…',
              disabled: true,
            },
            ...campaigns.map((campaign) => ({
              value: campaign.id,
              label: nameWords(campaign),
              disabled: !campaign.canTakeLeads && campaign.id !== value,
            })),
            ...(value === '' || campaigns.some(({ id }) => id === value)
              ? []
              : [{ value, label: `${known?.id === value ? known.name : `Campaign ${value}`} (over)` }]),
          ]}
        />
      )}
    </Loaded>
  )
}
