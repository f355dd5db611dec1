/**
 * How far one process has come in what endpoints have waiting. What is over stays in the indexes of what waits until no session can see
 * it any more, for as long as a backup takes, and a claim that begins at the front passes by all of it. In memory, for claims alone: it
 * narrows where they look, never what may be taken, and everything is looked at from its front again after a while.
 */
import type { EndpointName } from './pace.ts'
import { maxInFlight } from './rules/endpoint.ts'

/** Where a claim goes on: at a due date, in the database's own words, and at the oldest fence that a lease of the endpoint may have. */
export type Position = { readonly due: string; readonly fence: number }

/** An endpoint to be claimed from; `from` null: from its front. */
export type From = EndpointName & { readonly from: Position | null }

/** What a claim took of an endpoint, from where, and where it ended. */
export type Reached = From & { readonly count: number; readonly position: Position }

/** What a claim did: what it took, and the teams that it looked at as a whole. */
export type Claimed = { readonly reached: readonly Reached[]; readonly looked: readonly string[] }

/** A front is looked at again so long after the last time, or so many times as long as that took. */
const [leastMs, mostMs, timesAsLong] = [1_000, 10_000, 10]

/** An endpoint that gave nothing for so many of those intervals is not known any more. */
const forgottenAfter = 3

/** Teams, and endpoints of a team, that are remembered. */
const [mostTeams, mostOfTeam] = [500, 500]

type Known = { position: Position; frontMs: number; gaveMs: number }
type Team = { lookedMs: number; readonly endpoints: Map<string, Known> }

/** Of one process. */
export class Positions {
  readonly #teams = new Map<string, Team>()
  #intervalMs = leastMs

  /** Known endpoints of a team, those that gave something longest ago first; none when the team is to be looked at as a whole. */
  of(teamId: string, nowMs: number): From[] {
    const team = this.#teams.get(teamId)
    if (!team || nowMs - team.lookedMs >= this.#intervalMs) return []
    return [...team.endpoints].flatMap(([ownerId, { position, frontMs, gaveMs }]) => {
      const isKnown = nowMs - gaveMs < forgottenAfter * this.#intervalMs
      if (!isKnown) team.endpoints.delete(ownerId)
      return isKnown ? [{ teamId, ownerId, from: nowMs - frontMs < this.#intervalMs ? position : null }] : []
    })
  }

  /** A claim has ended that began then. */
  claimed(
    { reached, looked }: Claimed,
    { beganMs, nowMs }: { readonly beganMs: number; readonly nowMs: number },
  ): void {
    if (looked.length > 0 || reached.some(({ from }) => from === null))
      this.#intervalMs = Math.min(mostMs, Math.max(leastMs, timesAsLong * (nowMs - beganMs)))
    for (const teamId of looked)
      putLast(this.#teams, [teamId, { endpoints: new Map(), ...this.#teams.get(teamId), lookedMs: beganMs }], mostTeams)
    for (const { teamId, ownerId, from, count, position } of reached) {
      const endpoints = this.#teams.get(teamId)?.endpoints
      const known = endpoints?.get(ownerId)
      // One that has little waiting is as quickly found from its front.
      if (!endpoints || (!known && count < maxInFlight)) continue
      const frontMs = from === null || !known ? beganMs : known.frontMs
      putLast(endpoints, [ownerId, { position, frontMs, gaveMs: nowMs }], mostOfTeam)
    }
  }

  /** Something of an endpoint was given back: its next claim begins at the front. */
  givenBack({ teamId, ownerId }: EndpointName): void {
    const known = this.#teams.get(teamId)?.endpoints.get(ownerId)
    if (known) known.frontMs = Number.NEGATIVE_INFINITY
  }
}

/** Puts something last, and takes out what was put in longest ago when there is too much. */
function putLast<T>(map: Map<string, T>, [key, value]: readonly [string, T], most: number): void {
  map.delete(key)
  if (map.size >= most) map.delete(map.keys().next().value!)
  map.set(key, value)
}
