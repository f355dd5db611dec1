/**
 * What work costs the processor, for tests that something does not grow out of hand: compare two figures of one run, with a wide
 * margin. Time on the wall would tell how busy the machine is.
 */

/** Milliseconds of processor time that this thread spends on so many turns of the work: the least of three tries, at least 1. */
export function cpuMs(turns: number, work: () => void): number {
  const once = (): number => {
    const before = process.threadCpuUsage()
    for (let turn = 0; turn < turns; turn++) work()
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1_000
  }
  return Math.max(1, Math.min(once(), once(), once()))
}
