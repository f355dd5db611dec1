/** What is said where an identifier is held by a source of another kind (ENR-49, POS-14, G161). */
import type { Source } from '../row.ts'

/** How each kind is tracked again. */
const trackedBy: Readonly<Record<Source['type'], string>> = {
  person: 'POST /enrich/profile with saveTrackedProfile: true',
  company: 'POST /enrich/company with saveTrackedProfile: true',
  post: 'POST /post/track',
  keyword: 'POST /keyword/track',
}

/** Another name under which what was asked for can be tracked beside the holder; a post has none. */
const besideIt: Readonly<Record<Source['type'], string>> = {
  person: ' To track the person beside it, name them by member id (GET /profile/{username}/urn).',
  company: ' To track the company page beside it, name it by its number.',
  post: '',
  keyword: ' To search for these words beside it, send them in double quotes.',
}

/** Says who holds an identifier, in what state, and what can be done: an identifier stays with its source for good. */
export function heldMessage(
  asked: { readonly type: Source['type']; readonly username: string },
  holder: Pick<Source, 'id' | 'type' | 'status'>,
): string {
  const what = holder.type === 'keyword' ? 'keyword search' : holder.type
  const use =
    holder.status === 'active'
      ? 'Use that source: untracking it would not free the identifier.'
      : `It is no longer tracked, which does not free the identifier: revive it with ${trackedBy[holder.type]}.`
  return (
    `${asked.username} is held by a source of another kind, the ${what} ${holder.id} (${holder.status}): ` +
    `one identifier is one source. ${use}${besideIt[asked.type]}`
  )
}
