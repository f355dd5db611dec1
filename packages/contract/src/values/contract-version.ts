/**
 * The versions of the contract that a keyword search may name: the older one, and the one that asks for its spend. In a file without
 * schemas, since the dashboard names them too: a schema beside them would bring zod to every page.
 */
export const contractVersions = { older: '2026-09-09', spend: '2026-11-01' } as const

export type ContractVersion = (typeof contractVersions)[keyof typeof contractVersions]
