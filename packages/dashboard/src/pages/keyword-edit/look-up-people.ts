import { readPersonName } from '@les/contract'
import { ApiError } from '../../api/error.ts'

/** People looked up concurrently: a team's calls share one queue, which refuses when full. */
const asksAtOnce = 4

type LookedUp = {
  readonly ids: ReadonlyMap<string, string>
  readonly unknown: readonly string[]
  readonly unasked: readonly string[]
  readonly why: string | null
}

const isUnknown = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 400)

/**
 * Looks up people by handle or profile address, a few at a time; `ask` answers a handle's member id. A refusal that is not about
 * the person, such as an exhausted rate window, ends the run: the rest are not looked up.
 */
export async function lookUpPeople(
  texts: readonly string[],
  ask: (handle: string) => Promise<string>,
): Promise<LookedUp> {
  const ids = new Map<string, string>()
  const [unknown, unasked]: [string[], string[]] = [[], []]
  let why: string | null = null
  for (let at = 0; at < texts.length; at += asksAtOnce) {
    const named = texts.slice(at, at + asksAtOnce)
    if (why !== null) {
      unasked.push(...named)
      continue
    }
    const answers = await Promise.allSettled(named.map((text) => ask(readPersonName(text) ?? text)))
    for (const [index, answer] of answers.entries()) {
      const text = named[index]!
      if (answer.status === 'fulfilled') ids.set(text, answer.value)
      else if (isUnknown(answer.reason)) unknown.push(text)
      else {
        unasked.push(text)
        why ??= answer.reason instanceof Error ? answer.reason.message : String(answer.reason)
      }
    }
  }
  return { ids, unknown, unasked, why }
}

const named = (texts: readonly string[]): string =>
  texts.length <= 3 ? texts.join(', ') : `${texts.slice(0, 3).join(', ')} and ${texts.length - 3} more`

export function complaintOf({ unknown, unasked, why }: LookedUp): string | null {
  const parts = [
    unknown.length > 0 && `Not found: ${unknown.join(', ')}.`,
    unasked.length > 0 && `Not looked up, name them again: ${named(unasked)}. ${why}`,
  ]
  return parts.filter(Boolean).join(' ') || null
}
