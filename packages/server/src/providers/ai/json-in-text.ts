/** The JSON in what a model says: models put it into a code fence, behind a byte order mark or between sentences. */

/** Characters looked at, over all beginnings that lead nowhere: a hostile text must not cost more. */
const mostSteps = 2_000_000

/** The one object or list in a text, whatever surrounds it; undefined when there is none, or more than one. */
export function onlyJsonIn(text: string): unknown {
  const budget = { steps: mostSteps }
  let found: { readonly value: unknown } | undefined
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] !== '{' && text[at] !== '[') continue
    const end = endOf(text, at, budget)
    if (budget.steps <= 0) return undefined
    const read = end === null ? undefined : parsed(text.slice(at, end))
    if (!read) continue
    if (found) return undefined
    found = read
    at = end! - 1
  }
  return found?.value
}

/** Where the brackets that are opened at a place are closed again, those in texts apart; null when they are not. */
function endOf(text: string, from: number, budget: { steps: number }): number | null {
  let depth = 0
  let quoted = false
  for (let at = from; at < text.length; at += 1) {
    budget.steps -= 1
    if (budget.steps <= 0) return null
    const sign = text[at]
    if (quoted) {
      if (sign === '\\') at += 1
      else if (sign === '"') quoted = false
    } else if (sign === '"') quoted = true
    else if (sign === '{' || sign === '[') depth += 1
    else if (sign === '}' || sign === ']') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return null
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}
