import { normalizeHandle } from '@les/contract'
import { ProviderFailure, type Network } from '../../providers/ports.ts'

/** What the network answers; undefined when it has no such person. */
const orNobody = <T>(asked: Promise<T>): Promise<T | undefined> =>
  asked.catch((error: unknown) => {
    if (error instanceof ProviderFailure && error.kind === 'not_found') return undefined
    throw error
  })

/** Member id of a handle, by one free call; undefined when there is no such person. */
export const memberIdOnNetwork = async (network: Network, handle: string): Promise<string | undefined> =>
  (await orNobody(network.resolveHandle(handle)))?.urn

/** Handle of a member id, by one call not charged to the team; undefined when the network shows none. */
export async function handleOnNetwork(network: Network, urn: string): Promise<string | undefined> {
  const handle = (await orNobody(network.profile({ urn })))?.handle
  return handle == null ? undefined : normalizeHandle(handle)
}
