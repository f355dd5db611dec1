/** Handles of people that tests make up: nobody else has one, nor the name that goes with it. */
import type { World as SandboxWorld } from '@les/sandbox'

let made = 0

/** A number that no other call in this process was given. */
export const nextNumber = (): number => ++made

/** How often another handle is tried before a name that somebody has is taken: a world of thousands runs out of names. */
const maxTries = 20

/**
 * Gives out handles whose people have names that this world has given to nobody else: pages and tables are searched by names, and the
 * network's own repeat now and then.
 */
export function handlesOf(network: () => Pick<SandboxWorld, 'person'> | undefined): (prefix?: string) => string {
  const names = new Set<string>()
  return (prefix = 'person') => {
    for (let tries = 1; ; tries++) {
      const handle = `${prefix}-${process.env.VITEST_POOL_ID ?? '0'}-${nextNumber()}`
      const name = network()?.person(handle)?.name ?? handle
      if (names.has(name) && tries < maxTries) continue
      names.add(name)
      return handle
    }
  }
}
