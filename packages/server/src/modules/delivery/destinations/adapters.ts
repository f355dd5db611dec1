/** The adapter of a kind; none of `webhook`, which the loop of webhooks sends. */
import { destinationAdapters } from '../../../providers/destinations/index.ts'
import type { DestinationAdapter } from '../../../providers/destinations/port.ts'
import type { Kind } from './schema.ts'

/** Finds it. */
export const adapterOf = (kind: Kind): DestinationAdapter | undefined =>
  destinationAdapters.find((adapter) => adapter.kind === kind) as DestinationAdapter | undefined
