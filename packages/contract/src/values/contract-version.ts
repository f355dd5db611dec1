/** Contract versions a keyword search may name. This file has no schemas, so that the dashboard can import it without zod. */
export const contractVersions = { older: '2026-09-09', spend: '2026-11-01' } as const

export type ContractVersion = (typeof contractVersions)[keyof typeof contractVersions]
