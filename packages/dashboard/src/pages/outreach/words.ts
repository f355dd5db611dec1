import { campaignStates, outreachPauses } from '@les/contract'
import type { V1Result } from '../../api/index.ts'

/** A campaign as the platform has it now. */
export type Campaign = V1Result<'listCampaigns'>['campaigns'][number]

/** What the state of a campaign is called. */
export const campaignState = (status: Campaign['status']): string => campaignStates[status] ?? status

/** Why a campaign takes no leads. */
export const closedWords = ({ status }: Pick<Campaign, 'status'>): string =>
  status === 'DRAFT' ? 'still a draft' : status === 'UNKNOWN' ? 'in a state unknown here' : 'no sender yet'

/** Why a rule stands still and how to start it again. */
export const pauseWords = (
  reason: keyof typeof outreachPauses | null,
): { readonly why: string; readonly how: string } | null => (reason === null ? null : outreachPauses[reason])
