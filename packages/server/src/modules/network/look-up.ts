/** Asking the network who is behind a public handle, and which handle somebody has. */
import { normalizeHandle } from '@les/contract'
import { ProviderFailure, type Network } from '../../providers/ports.ts'

/** The member id of a handle by one free look-up; undefined when the network has no such person. */
export async function memberIdOnNetwork(network: Network, handle: string): Promise<string | undefined> {
  try {
    return (await network.resolveHandle(handle)).urn
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === 'not_found') return undefined
    throw error
  }
}

/** The handle of a member id; undefined when the network shows none. One call, which the team does not pay. */
export async function handleOnNetwork(network: Network, urn: string): Promise<string | undefined> {
  try {
    const { handle } = await network.profile({ urn })
    return handle === null ? undefined : normalizeHandle(handle)
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === 'not_found') return undefined
    throw error
  }
}
