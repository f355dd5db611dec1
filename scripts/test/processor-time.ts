/**
 * What a test file costs the processor, when `LES_TEST_CPU=1` asks for it: of the process that works it, of the processes it started
 * (services, browsers), and of PostgreSQL. The reporter prints it. PostgreSQL serves all workers at once, so its share is told of the
 * right file only with `--maxWorkers=1`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, inject } from 'vitest'

/** Seconds of processor time. */
export type ProcessorTime = { readonly own: number; readonly children: number; readonly database: number }

declare module 'vitest' {
  interface TaskMeta {
    processorTime?: ProcessorTime
  }
}

type Ticks = { readonly parent: number; readonly own: number; readonly reaped: number }

/** The kernel counts hundredths of a second for everybody, whatever its own clock is. */
const ticksPerSecond = 100

/** Of every process that runs: its parent, what it spent itself and what its ended children did. */
function readProcesses(): Map<number, Ticks> {
  const found = new Map<number, Ticks>()
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      // The name of the program stands in brackets and may hold anything.
      const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ').map(Number)
      found.set(Number(pid), { parent: fields[1]!, own: fields[11]! + fields[12]!, reaped: fields[13]! + fields[14]! })
    } catch {
      // It has ended meanwhile.
    }
  }
  return found
}

/** What a process, its children and theirs have spent. */
function spentBelow(root: number, processes: ReadonlyMap<number, Ticks>): number {
  let ticks = 0
  const below = [root]
  for (const pid of below) {
    const { own = 0, reaped = 0 } = processes.get(pid) ?? {}
    ticks += own + reaped
    for (const [child, { parent }] of processes) if (parent === pid) below.push(child)
  }
  return ticks / ticksPerSecond
}

function spent(): ProcessorTime {
  const processes = readProcesses()
  const postmaster = inject('postmaster')
  const { user, system } = process.cpuUsage()
  return {
    own: (user + system) / 1e6,
    children: spentBelow(process.pid, processes) - (processes.get(process.pid)?.own ?? 0) / ticksPerSecond,
    database: postmaster === undefined ? 0 : spentBelow(postmaster, processes),
  }
}

if (process.env.LES_TEST_CPU === '1') {
  const before = spent()
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from this pattern which fixtures a hook asks for.
  afterAll(({}, suite) => {
    const after = spent()
    suite.meta.processorTime = {
      own: after.own - before.own,
      children: after.children - before.children,
      database: after.database - before.database,
    }
  })
}
