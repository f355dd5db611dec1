/**
 * The settings of a source, each said once: what a request may send, what an answer shows, what it is when nobody has said anything,
 * and which requests take it. Bodies, answers, stored columns, edits and the settings of runs follow from this table; the rule that
 * applies a setting is the only thing that is written for it (specification «Tracked source», «Enrichment», «Keyword searches»).
 */
import { z } from 'zod'
import { bounds, flag, integer, wholeNumber, wholeNumberOrNull, choice } from '../values/index.ts'
import { sourceMode } from './common.ts'

/** What takes settings: tracking a person or company, editing one, tracking a post, a keyword search. */
type TakesSettings = 'track' | 'edit' | 'post' | 'search'

type Setting = {
  readonly sent: z.ZodType
  readonly shown: z.ZodType
  readonly initial: unknown
  /** What else a request needs to know of it. */
  readonly about?: string
  readonly of: readonly TakesSettings[]
  /** A run takes it over as it is; what else a run is bound by its owner works out. */
  readonly ofRun?: true
}

const wholeOrNull = integer.nullable()

const sourceSettings = {
  captureReplies: {
    sent: flag,
    shown: z.boolean(),
    initial: true,
    about: 'Default true.',
    of: ['track', 'edit', 'post', 'search'],
    ofRun: true,
  },
  enrichLeads: {
    sent: flag,
    shown: z.boolean(),
    initial: true,
    about: 'Default true; false = raw mode.',
    of: ['track', 'edit', 'post', 'search'],
    ofRun: true,
  },
  creditCapPerSync: {
    sent: wholeNumberOrNull(bounds.creditCap, 'no limit'),
    shown: wholeOrNull,
    initial: null,
    about: 'Lead rows one sync may store.',
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

/** The settings that a kind of request takes. */
export type SettingOf<By extends TakesSettings> = {
  [K in SourceSetting]: By extends Table[K]['of'][number] ? K : never
}[SourceSetting]

/** The settings that a run takes over as they are. */
export type SettingOfRun = { [K in SourceSetting]: Table[K] extends { ofRun: true } ? K : never }[SourceSetting]

/** All settings of a source, as they stand. */
export type SourceSettings = { readonly [K in SourceSetting]: z.output<Table[K]['shown']> }

const names = Object.keys(sourceSettings) as SourceSetting[]

/** Names of all settings, in the order of the table. */
export const sourceSettingNames: readonly SourceSetting[] = names

/** Names of the settings that a kind of request takes. */
export const settingsOf = <By extends TakesSettings>(by: By): readonly SettingOf<By>[] =>
  names.filter((name) => (sourceSettings[name].of as readonly TakesSettings[]).includes(by)) as SettingOf<By>[]

/** Names of the settings that a run takes over. */
export const settingsOfRun = names.filter((name) => 'ofRun' in sourceSettings[name]) as readonly SettingOfRun[]

/** Some settings of a source, or of a request that names them; what is not named is left out. */
export const pickSettings = <K extends SourceSetting, T extends { readonly [P in K]?: unknown }>(
  from: T,
  wanted: readonly K[],
): Pick<T, K> =>
  Object.fromEntries(wanted.filter((name) => from[name] !== undefined).map((name) => [name, from[name]])) as Pick<T, K>

/** Settings of a source about which nobody has said anything. */
export const initialSettings = Object.fromEntries(
  names.map((name) => [name, sourceSettings[name].initial]),
) as SourceSettings

type Sent<K extends SourceSetting> = { [P in K]: z.ZodOptional<Table[P]['sent']> }
type Shown<K extends SourceSetting> = { [P in K]: Table[P]['shown'] }

/** Fields of a body that takes settings: each may be left out. */
export const sentSettings = <By extends TakesSettings>(by: By): Sent<SettingOf<By>> =>
  Object.fromEntries(
    settingsOf(by).map((name) => {
      const { sent, about }: Setting = sourceSettings[name]
      return [name, about === undefined ? sent.optional() : sent.optional().describe(about)]
    }),
  ) as unknown as Sent<SettingOf<By>>

/** Fields of an answer that shows settings. */
export const shownSettings = <const Names extends readonly SourceSetting[]>(wanted: Names): Shown<Names[number]> =>
  Object.fromEntries(wanted.map((name) => [name, sourceSettings[name].shown])) as unknown as Shown<Names[number]>

type Echoed<K extends SourceSetting> = { [P in K]: z.ZodOptional<Table[P]['shown']> }

/** Fields of an answer that shows settings where the request named them. */
export const echoedSettings = <const Names extends readonly SourceSetting[]>(wanted: Names): Echoed<Names[number]> =>
  Object.fromEntries(wanted.map((name) => [name, sourceSettings[name].shown.optional()])) as unknown as Echoed<
    Names[number]
  >

export const withoutSettings = <K extends SourceSetting, const Not extends readonly K[]>(
  of: readonly K[],
  not: Not,
): readonly Exclude<K, Not[number]>[] =>
  of.filter((name) => !not.includes(name)) as unknown as readonly Exclude<K, Not[number]>[]

/** What an answer to tracking a person or company says back of what the request named (ENR-41, ENR-42). */
export const echoedByTracking = withoutSettings(settingsOf('track'), ['mode', 'postsPerSync', 'captureReplies'])

/** What an answer to an edit shows of what was before; the rest is shown when a mode was named. */
export const alwaysBefore = withoutSettings(settingsOf('edit'), ['mode', 'postsPerSync'])

/** What an answer to an edit shows when the request named it; the cap is always shown. */
export const echoedByEdit = withoutSettings(settingsOf('edit'), ['creditCapPerSync'])
