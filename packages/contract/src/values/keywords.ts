/** Fields of keyword searches (specification «Keyword searches»; G78). */
import { z } from 'zod'
import { choice } from './fields.ts'
import { bounds } from './bounds.ts'
import { readMemberId } from './member-id.ts'

/** Stored, though runs use relevance (KEY-17). */
export const searchSort = choice(['RELEVANCE', 'DATE_POSTED'])

export const datePosted = choice(['PAST_24_HOURS', 'PAST_WEEK', 'PAST_MONTH'])

export const searchContentType = choice(['VIDEO', 'IMAGE', 'JOB', 'LIVE_VIDEO', 'DOCUMENT', 'COLLABORATIVE_ARTICLE'])

/** AI vendors that may judge posts (G64). */
export const aiProvider = choice(['openai', 'anthropic', 'google', 'mistral'])

/** `depth` captures post by post, `breadth` spreads capture over all posts. */
export const captureMode = choice(['depth', 'breadth'])

/** The targeting filters and the type of their values (KEY-20..KEY-27). */
export const targetingFilters = {
  authorIndustry: 'industry',
  authorCompany: 'organization',
  authorKeyword: 'words',
  fromPerson: 'person',
  fromCompany: 'organization',
  mentionsPerson: 'person',
  mentionsCompany: 'organization',
} as const

export type TargetingFilter = keyof typeof targetingFilters

export const targetingFilterNames = Object.keys(targetingFilters) as readonly TargetingFilter[]

/** The filters that are set, each with bare ids or words. */
export type TargetingFilters = Readonly<Partial<Record<TargetingFilter, readonly string[]>>>

const shapes = {
  industry: {
    wrapped: /^urn:li:industry:(\d{1,18})$/i,
    bare: /^\d{1,18}$/,
    says: 'a numeric industry id, bare or as urn:li:industry:<n>',
  },
  organization: {
    wrapped: /^urn:li:organization:(\d{1,18})$/i,
    bare: /^\d{1,18}$/,
    says: 'a numeric organisation id, bare or as urn:li:organization:<n>',
  },
} as const

const memberId =
  'a member id, bare or as urn:li:person:<id>: POST /enrich/profile and GET /profile/{username}/urn answer it as entityUrn'

/** A filter's value as a bare id, or null when it is none; the words of `authorKeyword` are kept as they are. */
export function unwrapId(filter: TargetingFilter, value: string): string | null {
  const kind = targetingFilters[filter]
  const text = value.trim()
  if (kind === 'words') return text === '' ? null : text
  if (kind === 'person') return readMemberId(text)
  return shapes[kind].wrapped.exec(text)?.[1] ?? (shapes[kind].bare.test(text) ? text : null)
}

/** What a filter takes, to follow «must be». */
export const expectedValue = (filter: TargetingFilter): string => {
  const kind = targetingFilters[filter]
  return kind === 'words' ? 'plain words' : kind === 'person' ? memberId : shapes[kind].says
}

const listMessage = `must be a list of at most ${bounds.targetingValues} values, each text of at most ${bounds.targetingText} characters`

/** Values as sent; ids are checked later, to be refused as `invalid_urn`. */
export const targetingValues = z
  .array(z.string({ error: `must be text of at most ${bounds.targetingText} characters` }).max(bounds.targetingText), {
    error: listMessage,
  })
  .max(bounds.targetingValues)
