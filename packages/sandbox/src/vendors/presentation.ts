import type { Actor } from '../world/directory.ts'
import type { Post } from '../world/engagement.ts'
import { slugOf } from '../world/names.ts'
import type { Person } from '../world/people.ts'
import type { ActorRef } from '../world/posts.ts'
import { hash32 } from '../world/random.ts'
import type { VendorContext } from './vendor.ts'
import { decoratedName } from './decorated.ts'

/** What lists show of a member or page; `urn` is the member id or the page's number. */
export type Card = {
  kind: 'person' | 'company'
  urn: string
  slug: string
  name: string
  headline: string | null
  picture: string | null
  memberNumber: number | null
}

/** Link prefixes by kind of content; a number follows. */
export const LINKS: Readonly<Record<string, string>> = {
  job: 'https://www.linkedin.com/jobs/view/',
  live_video: 'https://www.linkedin.com/video/live/urn:li:ugcPost:',
  collaborative_article: 'https://www.linkedin.com/advice/3/how-do-you-measure-it-',
}

/** The card of an actor; hidden members show as "LinkedIn Member". */
export function cardOf(actor: Actor): Card {
  if (actor.kind === 'company') {
    const { id, slug, name, followers, logo } = actor.company
    return {
      kind: 'company',
      urn: id,
      slug,
      name,
      headline: `${followers.toLocaleString('en-US')} followers`,
      picture: logo,
      memberNumber: null,
    }
  }
  return personCard(actor.person)
}

/** The card of a row; the `company_reactors` fault turns some members into pages. */
export function rowCard(
  { network, fault }: Pick<VendorContext, 'network' | 'fault'>,
  ref: ActorRef,
  row: number,
): Card {
  if (fault?.kind === 'company_reactors' && (hash32(String(row), 81) % 1000) / 1000 < (fault.ratio ?? 0.5)) {
    return cardOf({ kind: 'company', company: network.companyAt(hash32(`${ref.kind}${ref.key}`, 82) % 2000) })
  }
  return cardOf(network.actor(ref))
}

/** The address a feed shows for a post. */
export function postUrl(post: Post): string {
  const author = cardOf(post.author)
  const words = slugOf(post.text.slice(0, 60)).split('-').slice(0, 6).join('-') || 'post'
  const ending = hash32(post.id, 83).toString(36).slice(0, 4).padEnd(4, 'x')
  return `https://www.linkedin.com/posts/${author.slug}_${words}-activity-${post.id}-${ending}`
}

const UNITS = [
  [1, 'm', 'minute'],
  [60, 'h', 'hour'],
  [1440, 'd', 'day'],
  [10_080, 'w', 'week'],
  [43_200, 'mo', 'month'],
] as const

/** The age of a post, short ("3d") and long ("3 days ago"). */
export function ago(thenMs: number, now: Date): { short: string; long: string } {
  const minutes = Math.max(1, Math.floor((now.getTime() - thenMs) / 60_000))
  const [length, short, word] = UNITS.findLast(([least]) => minutes >= least)!
  const count = Math.floor(minutes / length)
  return { short: `${count}${short}`, long: `${count} ${word}${count === 1 ? '' : 's'} ago` }
}

function personCard(person: Person): Card {
  const { id, handle, headline, picture, memberNumber } = person
  const hidden = { slug: id, name: 'LinkedIn Member', headline: null, picture: null }
  const shown = person.hidden ? hidden : { slug: handle, name: decoratedName(person).name, headline, picture }
  return { kind: 'person', urn: id, ...shown, memberNumber }
}
