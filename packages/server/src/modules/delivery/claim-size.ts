/** How much the claims of one step take, and when the next one is made. */

/** Twice as much as the last one when that was quickly sent, half as much when it was not. */
const [leastClaimed, mostClaimed, quickMs] = [24, 144, 100]

/** Of one step. */
export class ClaimSize {
  #most = leastClaimed
  #brought = leastClaimed
  #sinceMs: number | undefined

  /** True once half is left of what the last claim brought: the next takes a while. */
  isLow(waiting: number): boolean {
    return waiting <= this.#brought / 2
  }

  /** A claim begins: how much it takes. */
  next(nowMs: number): number {
    if (this.#sinceMs !== undefined) {
      const most = nowMs - this.#sinceMs < quickMs ? this.#most * 2 : this.#most / 2
      this.#most = Math.min(mostClaimed, Math.max(leastClaimed, most))
    }
    this.#sinceMs = undefined
    return this.#most
  }

  /** A claim that began then has brought something. */
  brought(taken: number, beganMs: number): void {
    this.#brought = taken
    this.#sinceMs = beganMs
  }
}
