/** The settings that tracking takes, as they are typed, and what they come to. */
import { bounds, initialSettings } from 'virtual:values'

/** As typed: empty text means no limit, or the service's own choice. */
export type TrackSettings = {
  readonly mode: 'engagers' | 'posts_only'
  readonly cap: string
  readonly posts: string
  readonly replies: boolean
  readonly enrich: boolean
  readonly firstPosts: string
  readonly firstDays: string
}

/**
 * What the form begins with. The interface has no default for posts a sync; the form suggests fewer than that of a search,
 * which finds the posts of many authors.
 */
export const startSettings: TrackSettings = {
  mode: initialSettings.mode,
  cap: String(bounds.creditCap.default),
  posts: '10',
  replies: initialSettings.captureReplies,
  enrich: initialSettings.enrichLeads,
  firstPosts: '',
  firstDays: '',
}

const inside = (text: string, { min, max }: { readonly min: number; readonly max: number }): boolean =>
  /^\d+$/.test(text.trim()) && Number(text) >= min && Number(text) <= max
const say = ({ min, max }: { readonly min: number; readonly max: number }): string =>
  `Enter a whole number from ${min} to ${max}`

/** What is wrong, by field; empty when it may be sent. */
export function settingFaults(settings: TrackSettings): Readonly<Partial<Record<keyof TrackSettings, string>>> {
  const postsOnly = settings.mode === 'posts_only'
  return {
    ...(settings.cap.trim() === '' || inside(settings.cap, bounds.creditCap)
      ? {}
      : { cap: 'Enter a whole number of at least 1, or nothing for no limit' }),
    ...(!postsOnly || inside(settings.posts, bounds.postsPerSync) ? {} : { posts: say(bounds.postsPerSync) }),
    ...(postsOnly || settings.firstPosts.trim() === '' || inside(settings.firstPosts, bounds.firstSyncPosts)
      ? {}
      : { firstPosts: say(bounds.firstSyncPosts) }),
    ...(postsOnly || settings.firstDays.trim() === '' || inside(settings.firstDays, bounds.firstSyncDays)
      ? {}
      : { firstDays: say(bounds.firstSyncDays) }),
  }
}

const numberOrNull = (text: string): number | null => (text.trim() === '' ? null : Number(text))

/** The fields of a request that tracks a person or a company page. */
export function profileFields(settings: TrackSettings) {
  const shared = {
    creditCapPerSync: numberOrNull(settings.cap),
    captureReplies: settings.replies,
    enrichLeads: settings.enrich,
  }
  if (settings.mode === 'posts_only')
    return { ...shared, mode: 'posts_only' as const, postsPerSync: Number(settings.posts) }
  return {
    ...shared,
    ...(settings.firstPosts.trim() === '' ? {} : { firstSyncPosts: Number(settings.firstPosts) }),
    ...(settings.firstDays.trim() === '' ? {} : { firstSyncDays: Number(settings.firstDays) }),
  }
}

/** The fields of a request that tracks a post. */
export const postFields = (settings: TrackSettings) => ({
  creditCapPerSync: numberOrNull(settings.cap),
  captureReplies: settings.replies,
  enrichLeads: settings.enrich,
})
