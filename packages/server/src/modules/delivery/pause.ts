/** Hearing of something again after a while. */
import type { SystemClock } from '../../platform/clock.ts'

/** Calls back a while after it was begun; to begin it meanwhile does nothing. Not after the signal. */
export class Pause {
  readonly #sleep: () => Promise<void>
  readonly #over: () => void
  #running = false

  constructor(
    how: { readonly system: SystemClock; readonly ms: number; readonly signal: AbortSignal },
    over: () => void,
  ) {
    this.#sleep = () => how.system.sleep(how.ms, how.signal)
    this.#over = over
  }

  begin(): void {
    if (this.#running) return
    this.#running = true
    const over = () => {
      this.#running = false
      this.#over()
    }
    this.#sleep().then(over, () => {})
  }
}
