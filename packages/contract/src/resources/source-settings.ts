/**
 * The table of source settings: what a request sends, what an answer shows, the default, and which requests take the setting.
 * Bodies, answers, stored columns, edits and run settings are derived from it; only applying a setting needs code of its own
 * (specification «Tracked source», «Enrichment», «Keyword searches»).
 */
import { z } from 'zod'
import { bounds, flag, integer, refuserOf, wholeNumber, wholeNumberOrNull, choice } from '../values/index.ts'
import { sourceMode } from './common.ts'

/** Requests that take settings: track a person or company, edit one, track a post, keyword search. */
type TakesSettings = 'track' | 'edit' | 'post' | 'search'

type Setting = {
  readonly sent: z.ZodType
  readonly shown: z.ZodType
  readonly initial: unknown
  readonly about?: string
  readonly of: readonly TakesSettings[]
  /** A run copies this setting unchanged; a run's other limits are computed by its owner. */
  readonly copiedToRun?: true
}

const wholeOrNull = integer.nullable()

const sourceSettings = {
  captureReplies: {
    sent: flag,
    shown: z.boolean(),
    initial: true,
    about: 'Default true.',
    of: ['track', 'edit', 'post', 'search'],
    copiedToRun: true,
  },
  enrichLeads: {
    sent: flag,
    shown: z.boolean(),
    initial: true,
    about: 'Default true; false = raw mode.',
    of: ['track', 'edit', 'post', 'search'],
    copiedToRun: true,
  },
  creditCapPerSync: {
    sent: wholeNumberOrNull(bounds.creditCap, 'no limit'),
    shown: wholeOrNull,
    initial: null,
    about: 'Maximum lead rows one sync may store.',
    of: ['track', 'edit', 'post'],
  },
  mode: {
    sent: choice(sourceMode.options),
    shown: sourceMode,
    initial: 'engagers',
    about: 'Default engagers.',
    of: ['track', 'edit', 'search'],
  },
  postsPerSync: {
    sent: wholeNumber(bounds.postsPerSync),
    shown: wholeOrNull,
    initial: null,
    of: ['track', 'edit', 'search'],
  },
  firstSyncPosts: {
    sent: wholeNumberOrNull(bounds.firstSyncPosts, 'the latest 15'),
    shown: wholeOrNull,
    initial: null,
    of: ['track'],
  },
  firstSyncDays: {
    sent: wholeNumberOrNull(bounds.firstSyncDays, 'no time limit'),
    shown: wholeOrNull,
    initial: null,
    of: ['track'],
  },
} as const satisfies Readonly<Record<string, Setting>>

type Table = typeof sourceSettings

export type SourceSetting = keyof Table

/** Settings that a kind of request takes. */
export type SettingOf<By extends TakesSettings> = {
  [K in SourceSetting]: By extends Table[K]['of'][number] ? K : never
}[SourceSetting]

/** Settings that a run copies unchanged. */
export type SettingCopiedToRun = {
  [K in SourceSetting]: Table[K] extends { copiedToRun: true } ? K : never
}[SourceSetting]

/** Current values of all settings. */
export type SourceSettings = { readonly [K in SourceSetting]: z.output<Table[K]['shown']> }

const names = Object.keys(sourceSettings) as SourceSetting[]

export const sourceSettingNames: readonly SourceSetting[] = names

/** In the order of the table. */
export const settingsOf = <By extends TakesSettings>(by: By): readonly SettingOf<By>[] =>
  names.filter((name) => (sourceSettings[name].of as readonly TakesSettings[]).includes(by)) as SettingOf<By>[]

export const settingsCopiedToRun = names.filter(
  (name) => 'copiedToRun' in sourceSettings[name],
) as readonly SettingCopiedToRun[]

/** Copies the named settings; undefined ones are left out. */
export const pickSettings = <K extends SourceSetting, T extends { readonly [P in K]?: unknown }>(
  from: T,
  wanted: readonly K[],
): Pick<T, K> =>
  Object.fromEntries(wanted.filter((name) => from[name] !== undefined).map((name) => [name, from[name]])) as Pick<T, K>

export const initialSettings = Object.fromEntries(
  names.map((name) => [name, sourceSettings[name].initial]),
) as SourceSettings

type Sent<K extends SourceSetting> = { [P in K]: z.ZodOptional<Table[P]['sent']> }
type Shown<K extends SourceSetting> = { [P in K]: Table[P]['shown'] }

/** Body fields of a kind of request; all optional. */
export const sentSettings = <By extends TakesSettings>(by: By): Sent<SettingOf<By>> =>
  Object.fromEntries(
    settingsOf(by).map((name) => {
      const { sent, about }: Setting = sourceSettings[name]
      return [name, about === undefined ? sent.optional() : sent.optional().describe(about)]
    }),
  ) as unknown as Sent<SettingOf<By>>

/** Posts-only mode needs its number of posts, and only it takes one. */
export function judgePostsPerSync(
  { mode, postsPerSync }: { readonly mode?: string | undefined; readonly postsPerSync?: unknown },
  context: z.RefinementCtx,
): void {
  const { min, max } = bounds.postsPerSync
  if (mode === 'posts_only' && postsPerSync === undefined)
    refuserOf(context)('postsPerSync', `is required with mode posts_only: a whole number from ${min} to ${max}`)
  if (mode !== 'posts_only' && postsPerSync !== undefined)
    refuserOf(context)('postsPerSync', 'is only allowed with mode: posts_only')
}

/** Answer fields of the named settings. */
export const shownSettings = <const Names extends readonly SourceSetting[]>(wanted: Names): Shown<Names[number]> =>
  Object.fromEntries(wanted.map((name) => [name, sourceSettings[name].shown])) as unknown as Shown<Names[number]>

type Echoed<K extends SourceSetting> = { [P in K]: z.ZodOptional<Table[P]['shown']> }

/** Answer fields of settings that are present only if the request named them. */
export const echoedSettings = <const Names extends readonly SourceSetting[]>(wanted: Names): Echoed<Names[number]> =>
  Object.fromEntries(wanted.map((name) => [name, sourceSettings[name].shown.optional()])) as unknown as Echoed<
    Names[number]
  >

export const withoutSettings = <K extends SourceSetting, const Not extends readonly K[]>(
  of: readonly K[],
  not: Not,
): readonly Exclude<K, Not[number]>[] =>
  of.filter((name) => !not.includes(name)) as unknown as readonly Exclude<K, Not[number]>[]

/** Settings that tracking a person or company echoes when the request named them (ENR-41, ENR-42). */
export const echoedByTracking = withoutSettings(settingsOf('track'), ['mode', 'postsPerSync', 'captureReplies'])

/** Previous values that an edit always answers; the others are shown when the request names a mode. */
export const alwaysBefore = withoutSettings(settingsOf('edit'), ['mode', 'postsPerSync'])

/** Settings an edit echoes when the request named them; the cap is always shown. */
export const echoedByEdit = withoutSettings(settingsOf('edit'), ['creditCapPerSync'])
