import { campaignStates, outreachPauses } from '@les/contract'
import type { ResultOf } from '../../api/index.ts'

export type Campaign = ResultOf<'listCampaigns'>['campaigns'][number]

export const campaignState = (status: Campaign['status']): string => campaignStates[status] ?? status

export const closedWords = ({ status }: Pick<Campaign, 'status'>): string =>
  status === 'DRAFT' ? 'still a draft' : status === 'UNKNOWN' ? 'in a state unknown here' : 'no sender yet'

export const pauseWords = (
  reason: keyof typeof outreachPauses | null,
): { readonly why: string; readonly how: string } | null => (reason === null ? null : outreachPauses[reason])
