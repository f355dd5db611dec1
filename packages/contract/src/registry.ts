import { accountOperations } from './operations/account.ts'
import { agentOperations } from './operations/agent.ts'
import { destinationOperations } from './operations/destinations.ts'
import { discoverOperations } from './operations/discover.ts'
import { enrichOperations } from './operations/enrich.ts'
import { exportOperations } from './operations/exports.ts'
import { hookOperations } from './operations/hooks.ts'
import { listWebhookDeliveries } from './operations/deliveries.ts'
import { exclusionOperations } from './operations/exclusions.ts'
import { keywordOperations } from './operations/keywords.ts'
import { leadOperations } from './operations/leads.ts'
import { ledgerOperations } from './operations/ledger.ts'
import { outreachOperations } from './operations/outreach.ts'
import { postReadOperations } from './operations/post-reads.ts'
import { privacyOperations } from './operations/privacy.ts'
import { privacyRetentionOperations } from './operations/privacy-retention.ts'
import { resultOperations } from './operations/results.ts'
import { sourceOperations } from './operations/sources.ts'
import type { Operation } from './operation.ts'

export const registry = [
  ...enrichOperations,
  ...sourceOperations,
  listWebhookDeliveries,
  ...keywordOperations,
  ...postReadOperations,
  ...leadOperations,
  ...exclusionOperations,
  ...discoverOperations,
  ...outreachOperations,
  ...destinationOperations,
  ...hookOperations,
  ...exportOperations,
  ...resultOperations,
  ...agentOperations,
  ...privacyOperations,
  ...privacyRetentionOperations,
  ...accountOperations,
  ...ledgerOperations,
] as const satisfies readonly Operation[]

/** Union of all operations, each with its own types. */
export type AnyOperation = (typeof registry)[number]

/** The id of an operation; also the key of its handler and the name of the client's method. */
export type OperationId = AnyOperation['id']

export type OperationOf<Id extends OperationId> = Extract<AnyOperation, { id: Id }>

export const operationsById = Object.fromEntries(registry.map((operation) => [operation.id, operation])) as {
  [Id in OperationId]: OperationOf<Id>
}

type PlainOperation = Operation & { readonly id: OperationId }

const plainById = new Map<string, PlainOperation>(registry.map((operation) => [operation.id, operation]))

/** Finds an operation, typed without its own fields. */
export function findOperation(id: OperationId): PlainOperation
export function findOperation(id: string): PlainOperation | undefined
export function findOperation(id: string): PlainOperation | undefined {
  return plainById.get(id)
}

export const basePath = '/api/v1'

/** VER-02. */
export const interfaceVersion = '1.0.0'
