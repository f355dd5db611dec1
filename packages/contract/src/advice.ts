/**
 * What to do about a refusal, by its stable code and, where it has none, by its status: for reference pages, agents and
 * people at a terminal. `advice.json` has the sentences.
 */
import advice from './advice.json' with { type: 'json' }

const byCode: Readonly<Record<string, string>> = advice.byCode
const byStatus: Readonly<Record<number, string>> = advice.byStatus

/** What to do about a refusal; a code that is not known here falls back to its status. */
export function adviceFor(status: number, code: string | null): string {
  return (
    (code === null ? undefined : byCode[code]) ??
    byStatus[status] ??
    'Read the message and change the request accordingly.'
  )
}
