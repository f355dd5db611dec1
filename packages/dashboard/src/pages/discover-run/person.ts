import { normalizeHandle, readNetworkAddress } from '@les/contract'
import type { V1Input, V1Result } from '../../api/index.ts'

/** A person whom a run has added. */
export type Person = V1Result<'getDiscoverRun'>['influencers'][number]

/** What a person is called. */
export const nameOf = (person: Pick<Person, 'name'>): string => person.name ?? 'Name unknown'

/** The handle or member id in the address of a profile; null when it has none. */
export function handleIn(address: string): string | null {
  const read = readNetworkAddress(address)
  return read?.kind === 'person' ? normalizeHandle(read.name) : null
}

type Recipient = NonNullable<V1Input<'sendLeads'>['people']>[number]

/** A person as a campaign takes them. */
export const recipientOf = ({ linkedinUrl, name, jobTitle, company, country }: Person): Recipient => ({
  profileUrl: linkedinUrl,
  name,
  jobTitle,
  company,
  country,
})
