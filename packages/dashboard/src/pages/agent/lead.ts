/** An agent's leads in plain words. */
import type { V1Result } from '../../api/index.ts'
import type { Tone } from '../../ui/index.ts'

/** A person an agent's sources have captured. */
export type AgentLead = V1Result<'listAgentLeads'>['leads'][number]

/** What a lead is called. */
export const leadName = (lead: Pick<AgentLead, 'name'>): string => lead.name ?? 'Name unknown'

/** A signal in words, with its colour. */
export const signals: Readonly<Record<AgentLead['signal'], readonly [string, Tone]>> = {
  extra_strong: ['Very strong', 'good'],
  strong: ['Strong', 'good'],
  medium: ['Medium', 'info'],
  weak: ['Weak', 'neutral'],
}

/** A part of the fit in words. */
export const partNames: Readonly<Record<AgentLead['icpParts'][number]['part'], string>> = {
  title: 'Job title',
  country: 'Country',
  industry: 'Industry',
  size: 'Company size',
}

/** How a part came out, with its colour. */
export const outcomes: Readonly<Record<AgentLead['icpParts'][number]['outcome'], readonly [string, Tone]>> = {
  match: ['matches', 'good'],
  unknown: ['not known', 'warn'],
  miss: ['does not match', 'bad'],
}
