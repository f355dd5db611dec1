import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { createAdmission, createCallLog, createFaults, createHolds } from '../traffic.ts'
import { createOutreach } from '../vendors/heyreach/workspace.ts'
import { createTwins } from '../vendors/twins.ts'
import { createNetwork } from './network.ts'
import {
  actorSchema,
  companySeedSchema,
  personSeedSchema,
  postSeedSchema,
  searchSeedSchema,
  type ActorSeed,
  type CompanySeed,
  type PersonSeed,
  type PostSeed,
  type SearchSeed,
} from './seed-schemas.ts'

/** Concurrent HarvestAPI calls per key, and how many more queue before 429. */
const limitsSchema = z.strictObject({
  harvestapiConcurrency: z.number().int().min(1).default(20),
  harvestapiQueue: z.number().int().min(0).default(10),
})

/** The synthetic network and all that tests can do to it; invalid input throws. */
export type World = WorldInside['world']

/** A world with the parts that only the server needs. */
export type WorldInside = ReturnType<typeof createWorld>

/** Makes a world from a seed; `memoryFile` keeps known authors across restarts. */
export function createWorld(options: { seed?: string; now?: () => Date; memoryFile?: string } = {}) {
  const seed = options.seed ?? 'sandbox'
  const clock = createClock(options.now)
  const memory = openMemory(options.memoryFile)
  const network = createNetwork(seed, clock.now, memory.add)
  for (const author of memory.known) network.recall(author)
  const log = createCallLog()
  const holds = createHolds()
  const faults = createFaults(seed)
  const outreach = createOutreach(clock.now)
  const twins = createTwins()
  const spending = new Map<string, { spent: number }>()
  let limits = limitsSchema.parse({})
  const { clear: clearNetwork, recall: _recall, ...view } = network
  const world = {
    ...view,
    seed,
    outreach,
    twins,
    now: clock.now,
    /** False when the caller of `createWorld` supplied the clock. */
    moveClock: clock.set,
    seedPerson: (def: PersonSeed) => network.seedPerson(personSeedSchema.parse(def)),
    seedCompany: (def: CompanySeed) => network.seedCompany(companySeedSchema.parse(def)),
    seedPost: (def: PostSeed) => network.seedPost(postSeedSchema.parse(def)),
    seedSearch: (def: SearchSeed) => network.seedSearch(searchSeedSchema.parse(def)),
    fault: faults.add,
    faults: faults.list,
    clearFaults: faults.clear,
    /** Removes people from the memory file; asking about them adds them again. */
    forget: memory.forget,
    hold: holds.hold,
    release: holds.release,
    waiting: holds.waiting,
    untilWaiting: holds.untilWaiting,
    calls: log.list,
    clearCalls: log.clear,
    limits(change: Partial<typeof limits> = {}): typeof limits {
      limits = limitsSchema.parse({ ...limits, ...change })
      return limits
    },
    /** The clock keeps its time. */
    reset(): void {
      clearNetwork()
      faults.clear()
      holds.release()
      log.clear()
      outreach.clear()
      for (const twin of Object.values(twins)) twin.clear()
      spending.clear()
      limits = limitsSchema.parse({})
    },
  }
  return { world, network, clock, log, faults, holds, admission: createAdmission(), spending, outreach, twins }
}

/** A clock that follows `source`, or else runs from the system's time and can be moved. */
function createClock(source?: () => Date) {
  let offsetMs = 0
  return {
    now: (): Date => (source ? source() : new Date(Date.now() + offsetMs)),
    set(to: Date): boolean {
      if (source) return false
      offsetMs = to.getTime() - Date.now()
      return true
    },
  }
}

type Memory = {
  readonly known: readonly ActorSeed[]
  readonly add: (author: ActorSeed) => void
  readonly forget: (handles: readonly string[]) => void
}

/** One author per line. Kept over restarts because activity numbers do not identify authors outside the population. */
function openMemory(file: string | undefined): Memory {
  if (file === undefined) return { known: [], add: () => undefined, forget: () => undefined }
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  const written = new Set(lines)
  return {
    known: lines.flatMap(readAuthor),
    add(author) {
      const line = JSON.stringify(author)
      if (written.has(line)) return
      written.add(line)
      appendFileSync(file, `${line}\n`, { mode: 0o600 })
    },
    forget(handles) {
      // Pages too, since a handle is also looked up as a page.
      const gone = new Set(handles.flatMap((handle) => [JSON.stringify(handle), JSON.stringify({ company: handle })]))
      for (const line of gone) written.delete(line)
      // Read again: another process may have added authors.
      const now = existsSync(file)
        ? readFileSync(file, 'utf8')
            .split('\n')
            .filter((line) => line !== '')
        : []
      const left = now.filter((line) => !gone.has(line))
      if (left.length === now.length) return
      writeFileSync(file, left.map((line) => `${line}\n`).join(''), { mode: 0o600 })
    },
  }
}

function readAuthor(line: string): ActorSeed[] {
  try {
    return [actorSchema.parse(JSON.parse(line))]
  } catch {
    return []
  }
}
