/**
 * Preloaded into the conformance suite: makes its timers longer, because some checks give a stream half a second for its first
 * line, too little on a busy machine. Checks that wait for something absent take longer; nothing else changes.
 */
const factor = 6
const briefest = 500
const { setTimeout: wait } = globalThis

globalThis.setTimeout = Object.assign(
  (callback: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
    wait(callback, ms >= briefest ? ms * factor : ms, ...args),
  wait,
) as typeof setTimeout
