import { readPersonName } from '@les/contract'
import { ApiError } from '../../api/error.ts'

/** How many people are asked for at once: a team's calls wait in one line, and a line that is full refuses. */
const asksAtOnce = 4

type LookedUp = {
  readonly ids: ReadonlyMap<string, string>
  readonly unknown: readonly string[]
  /** Those that nobody could be asked about, and why. */
  readonly unasked: readonly string[]
  readonly why: string | null
}

const isUnknown = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 400)

/**
 * Looks up who is named by a handle or a profile's address, a few at a time. A refusal that says nothing of the person, such as a
 * window that is used up, ends it: those after it are not asked for. `ask` answers the member id of a handle.
 */
export async function lookUpPeople(
  texts: readonly string[],
  ask: (handle: string) => Promise<string>,
): Promise<LookedUp> {
  const ids = new Map<string, string>()
  const [unknown, unasked]: [string[], string[]] = [[], []]
  let why: string | null = null
  const waiting = [...texts]
  const askInTurn = async () => {
    for (let text = waiting.shift(); text !== undefined; text = waiting.shift()) {
      if (why !== null) {
        unasked.push(text)
        continue
      }
      try {
        ids.set(text, await ask(readPersonName(text) ?? text))
      } catch (error) {
        if (isUnknown(error)) unknown.push(text)
        else {
          unasked.push(text)
          why ??= error instanceof Error ? error.message : String(error)
        }
      }
    }
  }
  await Promise.all(Array.from({ length: asksAtOnce }, askInTurn))
  const inOrder = (some: readonly string[]) => texts.filter((text) => some.includes(text))
  return { ids, unknown: inOrder(unknown), unasked: inOrder(unasked), why }
}

/** At most three by name, then how many more. */
const named = (texts: readonly string[]): string =>
  texts.length <= 3 ? texts.join(', ') : `${texts.slice(0, 3).join(', ')} and ${texts.length - 3} more`

/** What to tell whoever named them; null when each was found. */
export function complaintOf({ unknown, unasked, why }: LookedUp): string | null {
  const parts = [
    unknown.length > 0 && `Not found: ${unknown.join(', ')}.`,
    unasked.length > 0 && `Not looked up, name them again: ${named(unasked)}. ${why}`,
  ]
  return parts.filter(Boolean).join(' ') || null
}
