/** Ledger keys of charges about a person. */

type KeyedLead = { readonly id: string; readonly sourceId: string | null }

/** Key of a source's charge for a person. */
export const keyOfSourcePerson = (sourceId: string, urn: string): string => `source:${sourceId}:person:${urn}`

/** Key of a Discover run's charge for a person. */
export const keyOfDiscoverPerson = (runId: string, urn: string): string => `discover:${runId}:person:${urn}`

/** Key of the charge for a lead's enrichment on request. */
export const keyOfEnrichment = ({ id, sourceId }: KeyedLead): string => `enrich:${sourceId ?? 'discover'}:${id}`

/** Where charges for a person may come from; `owners`: all sources and Discover runs of the team. */
export type ChargedFor = {
  readonly urns: readonly string[]
  readonly owners: readonly string[]
  readonly leads: readonly KeyedLead[]
}

/** Every possible key of charges for a person and their leads' enrichment. */
export const chargeKeysOfPerson = ({ urns, owners, leads }: ChargedFor): string[] => [
  ...owners.flatMap((owner) => urns.flatMap((urn) => [keyOfSourcePerson(owner, urn), keyOfDiscoverPerson(owner, urn)])),
  ...leads.map(keyOfEnrichment),
]
