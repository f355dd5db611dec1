import type { Config } from '../config/config.ts'
import {
  destinationAddress,
  destinationPlatforms,
  type DestinationAddresses,
  type DestinationPlatform,
} from '../config/destinations.ts'
import type { CallsOf, DestinationDeps } from '../modules/delivery/index.ts'
import { checkDestination, type Egress } from '../platform/egress/index.ts'
import { platformCall } from '../providers/destinations/http.ts'
import { destinationAdapters } from '../providers/destinations/index.ts'

type Ways = {
  readonly vendorEgress: Egress
  readonly webhookEgress: Egress
  /** The sandbox also plays `s3`, which otherwise is a customer's own bucket. */
  readonly played: (DestinationAddresses & { readonly s3?: string }) | undefined
}

/** The adapter of a kind of destination, if there is one. */
export const adapterOf: DestinationDeps['adapterOf'] = (kind) =>
  destinationAdapters.find((adapter) => adapter.kind === kind)

const originOf = (address: string): string | null => URL.parse(address)?.origin ?? null

/** Adapters reach the operator's known addresses like vendors, all others (customers') like webhooks: guarded. */
export function destinationCalls(
  config: Config,
  { vendorEgress, webhookEgress, played }: Ways,
): { readonly callsOf: CallsOf; readonly faultOfAddress: (address: string) => string | null } {
  const addressOf = (platform: DestinationPlatform) => destinationAddress(platform, config.destinations, played)
  const known = new Set(
    [...destinationPlatforms.map(addressOf), ...Object.values(played ?? {})].flatMap((address) =>
      address === null ? [] : (originOf(address) ?? []),
    ),
  )
  const isKnown = (address: string): boolean => known.has(originOf(address) ?? '')
  const call = platformCall({
    request: (request) => (isKnown(request.url) ? vendorEgress : webhookEgress).request(request),
    close: async () => {},
  })
  const tokenUrl = addressOf('google_token')
  const baseUrlOf = (kind: Parameters<CallsOf>[0]['kind']): string | null => {
    if (kind === 'webhook') return null
    return kind === 's3' ? (played?.s3 ?? null) : addressOf(kind)
  }
  const callsOf: CallsOf = ({ kind }, now) => ({
    call,
    baseUrl: baseUrlOf(kind) ?? '',
    ...(tokenUrl === null ? {} : { tokenUrl }),
    now,
  })
  const faultOfAddress = (address: string) => {
    if (isKnown(address)) return null
    const check = checkDestination(address, { schemes: ['https'], allowPrivate: config.allowPrivateDestinations })
    return check.ok ? null : check.reason
  }
  return { callsOf, faultOfAddress }
}
