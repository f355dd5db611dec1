/** The settings of a keyword search in plain words. */
import type { Choice } from '../../ui/index.ts'
import { filters, type Draft } from './draft.ts'

/** How old a post may be. */
export const ages: readonly Choice<Draft['datePosted']>[] = [
  { value: 'PAST_24_HOURS', label: 'The last 24 hours' },
  { value: 'PAST_WEEK', label: 'The last week' },
  { value: 'PAST_MONTH', label: 'The last month' },
]

/** Which posts come first. */
export const orders: readonly Choice<Draft['sort']>[] = [
  { value: 'DATE_POSTED', label: 'Newest first' },
  { value: 'RELEVANCE', label: 'Most relevant first' },
]

/** What a post carries. */
export const contents: readonly Choice<Draft['contentType']>[] = [
  { value: '', label: 'Any post' },
  { value: 'VIDEO', label: 'With a video' },
  { value: 'IMAGE', label: 'With a picture' },
  { value: 'DOCUMENT', label: 'With a document' },
  { value: 'JOB', label: 'With a job' },
  { value: 'LIVE_VIDEO', label: 'With a live video' },
  { value: 'COLLABORATIVE_ARTICLE', label: 'Collaborative articles' },
]

/** Vendors of AI by name. */
export const vendors: readonly Choice<Draft['aiProvider']>[] = [
  { value: '', label: 'No AI filter' },
  { value: 'openai', label: 'OpenAI' },
  { value: 'anthropic', label: 'Anthropic' },
  { value: 'google', label: 'Google' },
  { value: 'mistral', label: 'Mistral' },
]

const names: Readonly<Record<string, string>> = {
  name: 'Name',
  captureReplies: 'Capture replies to comments',
  enrichLeads: 'Look up people’s details',
  sort: 'Order',
  datePosted: 'Age of posts',
  contentType: 'Kind of post',
  aiProvider: 'AI vendor',
  aiModel: 'AI model',
  aiPrompt: 'AI instruction',
  creditCap: 'Credits a run',
  mode: 'What is captured',
  postsPerSync: 'Posts a run',
  captureEngagers: 'Capture who engages',
  capturePostAuthors: 'Capture authors of posts',
  captureMode: 'Spread over posts',
  maxEngagementsPerPost: 'People a post',
  runOnce: 'One run only',
  endAt: 'End date',
  maxRuns: 'Runs at most',
  ...Object.fromEntries(filters.map(({ name, label }) => [name, label])),
}

/** What a setting is called. */
export const settingName = (field: string): string => names[field] ?? field

const values: Readonly<Record<string, string>> = {
  depth: 'many people per post',
  breadth: 'few people of many posts',
  engagers: 'people who engage',
  posts_only: 'posts only',
  ...Object.fromEntries(
    [...ages, ...orders, ...contents.slice(1), ...vendors.slice(1)].map(({ value, label }) => [value, label]),
  ),
}

/** A value of a setting in words. */
export function valueWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(String).join(', ')
  return values[String(value)] ?? String(value)
}
