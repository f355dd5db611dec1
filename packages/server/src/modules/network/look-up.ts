import { normalizeHandle } from '@les/contract'
import { ProviderFailure, type Network } from '../../providers/ports.ts'

/** Member id of a handle, by one free call; undefined when there is no such person. */
export async function memberIdOnNetwork(network: Network, handle: string): Promise<string | undefined> {
  try {
    return (await network.resolveHandle(handle)).urn
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === 'not_found') return undefined
    throw error
  }
}

/** Handle of a member id, by one call not charged to the team; undefined when the network shows none. */
export async function handleOnNetwork(network: Network, urn: string): Promise<string | undefined> {
  try {
    const { handle } = await network.profile({ urn })
    return handle === null ? undefined : normalizeHandle(handle)
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === 'not_found') return undefined
    throw error
  }
}
