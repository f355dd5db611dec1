/** HarvestAPI's wire shapes, as far as they are read (reference/providers.md §1.1). */
import { z } from 'zod'
import {
  count,
  dollars,
  field,
  flag,
  listOf,
  maybe,
  millis,
  present,
  somebody,
  text,
  token,
} from '../normal/lenient.ts'

const pagination = z.object({
  totalElements: count,
  totalResultCount: count,
  totalPages: count,
  pageNumber: count,
  previousElements: count,
  pageSize: count,
  paginationToken: token,
})
/** A list's position. */
export type Pagination = z.output<typeof pagination>

/** The wrapper of every payload. */
export const envelope = z.object({
  user: maybe(z.object({ requestsConcurrency: count })),
  cost: dollars,
  pagination: maybe(pagination),
})

const picture = z.object({ url: text, width: count })
const pictureField = field.transform((value) =>
  typeof value === 'string' ? value : (maybe(picture).parse(value)?.url ?? null),
)

const parsedPlace = z.object({ countryCode: text, country: text, countryFull: text, state: text, city: text })
const position = z.object({
  position: text,
  title: text,
  companyName: text,
  companyLinkedinUrl: text,
  companyId: text,
  companyUniversalName: text,
  startDate: field,
  endDate: field,
})
export type HarvestPosition = z.output<typeof position>

/** Answer of `profile-id`. */
export const profileId = z.object({ id: text, publicIdentifier: text })

export const profile = z.object({
  id: text,
  publicIdentifier: text,
  linkedinUrl: text,
  firstName: text,
  lastName: text,
  headline: text,
  photo: pictureField,
  objectUrn: text,
  location: maybe(z.object({ linkedinText: text, countryCode: text, parsed: maybe(parsedPlace) })),
  currentPosition: listOf(position),
  experience: listOf(position),
})

export const company = z.object({
  id: text,
  universalName: text,
  linkedinUrl: text,
  name: text,
  website: text,
  logo: text,
  logos: listOf(picture),
  backgroundCover: pictureField,
  backgroundCovers: listOf(picture),
  foundedOn: maybe(z.object({ year: count })),
  employeeCount: count,
  employeeCountRange: maybe(z.object({ start: count, end: count })),
  followerCount: count,
  description: text,
  locations: listOf(
    z.object({ country: text, city: text, geographicArea: text, headquarter: flag, parsed: maybe(parsedPlace) }),
  ),
  specialities: listOf(text),
  industries: listOf(z.union([z.string(), z.object({ id: text, urn: text, name: text, title: text })])),
})

const engagement = z.object({
  id: text,
  likes: count,
  comments: count,
  reactions: listOf(z.object({ type: text, count })),
})
const postedAt = z.object({ timestamp: millis, date: text })

export const post = z.object({
  id: text,
  entityId: text,
  linkedinUrl: text,
  content: text,
  shareUrn: text,
  shareLinkedinUrl: text,
  author: somebody(
    z.object({
      id: text,
      profileId: text,
      urn: text,
      publicIdentifier: text,
      universalName: text,
      type: text,
      name: text,
      linkedinUrl: text,
      info: text,
    }),
  ),
  postedAt: maybe(postedAt),
  engagement: maybe(engagement),
  postVideo: present,
  postImages: present,
  document: present,
  article: maybe(z.object({ link: text })),
  header: maybe(z.object({ text })),
  repostedBy: present,
  repostId: present,
  repost: present,
})

const actor = z.object({
  id: text,
  type: text,
  name: text,
  linkedinUrl: text,
  position: text,
  pictureUrl: text,
  picture: pictureField,
  universalName: text,
})
export type HarvestActor = z.output<typeof actor>

export const reaction = z.object({ id: text, reactionType: text, actor: somebody(actor) })

const commentShape = {
  id: text,
  linkedinUrl: text,
  commentary: text,
  createdAt: text,
  createdAtTimestamp: millis,
  actor: somebody(actor),
  engagement: maybe(engagement),
}
const reply = z.object(commentShape)
export type HarvestReply = z.output<typeof reply>

export const comment = z.object({ ...commentShape, replies: listOf(reply) })
