/** The keys of charges that are about a person, by which the ledger knows them again. */

/** A lead as the charge for its enrichment names it; a source of null is Discover's. */
type KeyedLead = { readonly id: string; readonly sourceId: string | null }

/** What a source charges for a person. */
export const keyOfSourcePerson = (sourceId: string, urn: string): string => `source:${sourceId}:person:${urn}`

/** What a Discover run charges for a person. */
export const keyOfDiscoverPerson = (runId: string, urn: string): string => `discover:${runId}:person:${urn}`

/** What the enrichment of a lead on request is charged by. */
export const keyOfEnrichment = ({ id, sourceId }: KeyedLead): string => `enrich:${sourceId ?? 'discover'}:${id}`

/** Where charges for a person may come from: `owners` are every source and Discover run of the team. */
export type ChargedFor = {
  readonly urns: readonly string[]
  readonly owners: readonly string[]
  readonly leads: readonly KeyedLead[]
}

/** Every key that a charge for a person, or for the enrichment of one of their leads, can have. */
export const chargeKeysOfPerson = ({ urns, owners, leads }: ChargedFor): string[] => [
  ...owners.flatMap((owner) => urns.flatMap((urn) => [keyOfSourcePerson(owner, urn), keyOfDiscoverPerson(owner, urn)])),
  ...leads.map(keyOfEnrichment),
]
