import { z } from 'zod'

export const REACTION_TYPES = ['LIKE', 'PRAISE', 'EMPATHY', 'APPRECIATION', 'INTEREST', 'ENTERTAINMENT'] as const

export const CONTENT_TYPES = [
  'text',
  'image',
  'video',
  'document',
  'article',
  'poll',
  'job',
  'live_video',
  'collaborative_article',
] as const

const handle = z.string().min(1).max(200)
const month = z.object({ year: z.number().int(), month: z.number().int().min(1).max(12).default(1) })
const activityNumber = z.string().regex(/^\d{19}$/)
const count = z.number().int().min(0)
const iso = z.iso.datetime({ offset: true })

/** A person by handle, or a company page by slug. */
export const actorSchema = z.union([handle, z.strictObject({ company: handle })])

const positionSchema = z.strictObject({
  title: z.string(),
  company: handle.nullable().optional(),
  companyName: z.string().optional(),
  start: month.optional(),
  end: month.nullable().optional(),
  location: z.string().nullable().optional(),
})
const replySchema = z.strictObject({
  id: z.string().regex(/^\d+$/).optional(),
  person: actorSchema,
  text: z.string().optional(),
  at: iso.optional(),
})
const commentSchema = replySchema.extend({
  likes: count.optional(),
  replies: z.array(replySchema).optional(),
})
const reactionSchema = z.strictObject({
  person: actorSchema,
  type: z.enum(REACTION_TYPES).optional(),
  at: iso.optional(),
})
const ownPostSchema = z.strictObject({
  id: activityNumber.optional(),
  exists: z.boolean().optional(),
  postedAt: iso.nullable().optional(),
  text: z.string().nullable().optional(),
  reactions: z.union([count.max(100_000), z.array(reactionSchema)]).optional(),
  comments: z.union([count.max(100_000), z.array(commentSchema)]).optional(),
  declaredReactions: count.optional(),
  declaredComments: count.optional(),
  contentType: z.enum(CONTENT_TYPES).optional(),
  mentions: z.array(actorSchema).optional(),
  /** Searches show it as a group post, whose id is not an activity number. */
  inGroup: z.boolean().optional(),
  /** Other feeds that show it, because their owners liked or commented on it. */
  shownBy: z.array(actorSchema).optional(),
  repostOf: activityNumber.optional(),
})

/** Omitted fields stay as generated. */
export const personSeedSchema = z.strictObject({
  handle,
  id: z
    .string()
    .regex(/^AC[A-Za-z0-9_-]+$/)
    .optional(),
  exists: z.boolean().optional(),
  name: z.string().optional(),
  firstName: z.string().optional(),
  lastName: z.string().optional(),
  headline: z.string().nullable().optional(),
  about: z.string().nullable().optional(),
  title: z.string().optional(),
  country: z.string().nullable().optional(),
  city: z.string().optional(),
  company: handle.nullable().optional(),
  positions: z.array(positionSchema).optional(),
  picture: z.string().nullable().optional(),
  hidden: z.boolean().optional(),
  posts: z.array(ownPostSchema).optional(),
})

/** Omitted fields stay as generated. */
export const companySeedSchema = z.strictObject({
  slug: handle,
  id: z.string().regex(/^\d+$/).optional(),
  exists: z.boolean().optional(),
  name: z.string().optional(),
  tagline: z.string().optional(),
  description: z.string().optional(),
  website: z.string().nullable().optional(),
  logo: z.string().nullable().optional(),
  industry: z.string().optional(),
  type: z.string().optional(),
  employees: count.optional(),
  followers: count.optional(),
  foundedYear: z.number().int().nullable().optional(),
  country: z.string().nullable().optional(),
  city: z.string().optional(),
  specialities: z.array(z.string()).optional(),
  posts: z.array(ownPostSchema).optional(),
})

/** The author can be seeded along with the post. */
export const postSeedSchema = ownPostSchema.extend({
  author: z.union([actorSchema, personSeedSchema.omit({ posts: true }), companySeedSchema.omit({ posts: true })]),
})

/** Posts for searches, and whether searches find generated posts too. */
export const searchSeedSchema = z.strictObject({
  posts: z.array(postSeedSchema).optional(),
  generated: z.boolean().optional(),
})

/** A person by handle, or a company page by slug. */
export type ActorSeed = z.input<typeof actorSchema>
export type PersonSeed = z.input<typeof personSeedSchema>
export type CompanySeed = z.input<typeof companySeedSchema>
export type PostSeed = z.input<typeof postSeedSchema>
export type SearchSeed = z.input<typeof searchSeedSchema>
export type OwnPostSeed = z.input<typeof ownPostSchema>
export type PositionSeed = z.input<typeof positionSchema>
export type CommentSeed = z.input<typeof commentSchema>
export type ReactionSeed = z.input<typeof reactionSchema>

/** Drops undefined fields, so that they do not overwrite others. */
export function given<T extends object>(seed: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(seed).filter(([, value]) => value !== undefined)) as never
}
