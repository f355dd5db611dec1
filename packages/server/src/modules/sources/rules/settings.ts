/** What a source is set to, and what one run of it is bound by. */
import { bounds, pickSettings, settingsOfRun, type SourceSettings } from '@les/contract'
import type { RunSettings } from '../runs/settings.ts'

/** Credits a source can cost a day at most: its posts up to its cap, or the cap on its lead rows; null without a limit. */
export const dailyMax = (settings: SourceSettings): number | null =>
  settings.mode === 'posts_only' && settings.postsPerSync !== null
    ? Math.min(settings.postsPerSync, settings.creditCapPerSync ?? settings.postsPerSync)
    : settings.creditCapPerSync

/** The bounds of a run: the first one reads further back (SYN-04, ENR-35, ENR-38). */
export function runSettings(settings: SourceSettings, isFirst: boolean): RunSettings {
  const shared = {
    mode: settings.mode,
    rowCap: settings.creditCapPerSync,
    ...pickSettings(settings, settingsOfRun),
  }
  if (settings.mode === 'posts_only')
    return { ...shared, maxPosts: settings.postsPerSync ?? bounds.postsPerSync.max, sinceDays: null }
  if (!isFirst) return { ...shared, maxPosts: bounds.laterSyncPosts, sinceDays: null }
  const most = settings.firstSyncDays === null ? bounds.firstSyncPosts.default : bounds.firstSyncPosts.max
  return { ...shared, maxPosts: settings.firstSyncPosts ?? most, sinceDays: settings.firstSyncDays }
}
