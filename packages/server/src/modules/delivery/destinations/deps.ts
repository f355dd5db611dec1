/** What delivering to destinations works with. */
import type { SystemClock } from '../../../platform/clock.ts'
import type { Reader, UnitOfWork } from '../../../platform/db/unit-of-work.ts'
import type { FaultPointHook } from '../../../platform/faults.ts'
import type { Log } from '../../../platform/log.ts'
import type { Vault } from '../../../platform/secrets.ts'
import type { AdapterParts, Connection, DestinationAdapter } from '../../../providers/destinations/port.ts'
import type { Kind } from './schema.ts'
import type { RecordStages } from './stages.ts'
import { openCredentials, type Destination } from './store.ts'

/** Makes the parts of an adapter for a destination: its calls are guarded, counted and paced by who composes the service. */
export type CallsOf = (destination: Destination, now: Date) => AdapterParts

/** What delivering works with. */
export type DestinationDeps = {
  readonly db: Reader
  readonly unitOfWork: UnitOfWork
  readonly vault: Vault
  readonly system: SystemClock
  readonly faultPoint: FaultPointHook
  readonly log: Log
  /** Id of this process, for leases. */
  readonly processId: string
  readonly callsOf: CallsOf
  /** The adapter of a kind; none of `webhook`, which the loop of webhooks sends. */
  readonly adapterOf: (kind: Kind) => DestinationAdapter | undefined
  /** Where results of a CRM go. */
  readonly recordStages: RecordStages
  /** Where the dashboard is, for links; null when nobody has said. */
  readonly origin: () => string | null
}

/** What an adapter is asked with: settings and credentials as its schemas read them; undefined when the destination is gone. */
export async function openConnection(
  deps: Pick<DestinationDeps, 'db' | 'vault'>,
  { teamId, id, settings, mapping }: Pick<Destination, 'teamId' | 'id' | 'settings' | 'mapping'>,
  adapter: Pick<DestinationAdapter, 'settings' | 'credentials'>,
): Promise<Connection | undefined> {
  const credentials = await openCredentials(deps.db, { vault: deps.vault, teamId, id })
  if (credentials === null) return undefined
  return {
    settings: adapter.settings.parse(settings),
    credentials: adapter.credentials.parse(credentials),
    mapping,
  }
}
