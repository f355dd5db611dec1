import type { Log } from '../../../platform/log.ts'
import type { Vault } from '../../../platform/secrets.ts'
import type { WorkDeps } from '../../../platform/work/index.ts'
import type { AdapterParts, Connection, DestinationAdapter } from '../../../providers/destinations/port.ts'
import type { Kind } from './rules.ts'
import type { RecordStages } from './stages.ts'
import { openCredentials, type Destination } from './store.ts'

/** Builds the adapter's calls for a destination; the composition guards, counts and paces them. */
export type CallsOf = (destination: Destination, now: Date) => AdapterParts

export type DestinationDeps = WorkDeps & {
  readonly vault: Vault
  readonly log: Log
  readonly callsOf: CallsOf
  /** The adapter of a kind; undefined for `webhook`, which the webhook loop sends. */
  readonly adapterOf: (kind: Kind) => DestinationAdapter | undefined
  readonly recordStages: RecordStages
  readonly origin: () => string | null
}

/** Opens a destination's settings and credentials, parsed by the adapter's schemas; undefined when the destination is gone. */
export async function openConnection(
  deps: Pick<DestinationDeps, 'db' | 'vault'>,
  { teamId, id, settings, mapping }: Pick<Destination, 'teamId' | 'id' | 'settings' | 'mapping'>,
  adapter: Pick<DestinationAdapter, 'settings' | 'credentials'>,
): Promise<Connection | undefined> {
  const credentials = await openCredentials(deps.db, { vault: deps.vault, teamId, id })
  if (credentials === null) return undefined
  return { settings: adapter.settings.parse(settings), credentials: adapter.credentials.parse(credentials), mapping }
}
