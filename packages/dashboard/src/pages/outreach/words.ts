import type { V1Result } from '../../api/index.ts'

/** A campaign as the platform has it now. */
export type Campaign = V1Result<'listCampaigns'>['campaigns'][number]

const states: Readonly<Record<Campaign['status'], string>> = {
  IN_PROGRESS: 'running',
  PAUSED: 'paused',
  DRAFT: 'draft',
  SCHEDULED: 'planned',
  STARTING: 'starting',
  UNKNOWN: 'unknown',
}

/** What the state of a campaign is called. */
export const campaignState = (status: Campaign['status']): string => states[status] ?? status

/** Why a campaign takes no leads. */
export const closedWords = ({ status }: Pick<Campaign, 'status'>): string =>
  status === 'DRAFT' ? 'still a draft' : status === 'UNKNOWN' ? 'in a state unknown here' : 'no sender yet'

const pauses = {
  invalid_key: {
    why: 'The platform refused the stored key.',
    how: 'Store a good key under Settings, then start the rule again here.',
  },
  campaign_closed: {
    why: 'The campaign takes no leads any more: it is over, or a draft.',
    how: 'Open the campaign on the platform again or choose another one, then save.',
  },
} as const

/** Why a rule stands still and how to start it again. */
export const pauseWords = (
  reason: keyof typeof pauses | null,
): { readonly why: string; readonly how: string } | null => (reason === null ? null : pauses[reason])
