/** Asking the network who is behind a public handle. */
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
