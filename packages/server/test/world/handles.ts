import type { World as SandboxWorld } from '@les/sandbox'

let made = 0

/** A number unique in this process. */
export const nextNumber = (): number => ++made

/** How many handles are tried before a duplicate name is accepted: a world with thousands of people runs out of names. */
const maxTries = 20

/** Makes handles whose people have unique names too: tests search pages and tables by name, and the network repeats names. */
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
