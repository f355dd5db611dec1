/** CPU time, to compare two figures of one run with a wide margin; wall-clock time would depend on other load. */

/** Milliseconds of this thread's CPU time for `turns` repetitions of the work: the least of three tries, at least 1. */
export function cpuMs(turns: number, work: () => void): number {
  const once = (): number => {
    const before = process.threadCpuUsage()
    for (let turn = 0; turn < turns; turn++) work()
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1_000
  }
  return Math.max(1, Math.min(once(), once(), once()))
}
