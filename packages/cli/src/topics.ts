import { exitCodesHelp } from './exit-codes.ts'

const variables: readonly (readonly [string, string])[] = [
  ['LES_API_KEY', 'API key of your team; overrides the stored profile, but not --profile'],
  ['LES_BASE_URL', 'URL of the service; default: a service started in this folder'],
  ['LES_DATA_DIR', 'data folder of a local service, used to find its URL; default: ./.data'],
  ['LES_PROFILE', 'profile to use instead of the current one'],
  ['LES_SIGNING_SECRET', 'signing secret (whsec_…) for les webhooks'],
  ['XDG_CONFIG_HOME', 'folder that contains les/config.json; default: ~/.config'],
  ['XDG_CACHE_HOME', 'folder for compiled code; default: ~/.cache'],
  ['NO_COLOR', 'any value: no colours'],
  ['FORCE_COLOR', '1: colours without a terminal too; NO_COLOR takes precedence'],
  ['TERM', 'dumb: no colours'],
]

function environmentHelp(): string {
  const width = Math.max(...variables.map(([name]) => name.length))
  return `Environment variables:\n${variables.map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}\n`).join('')}`
}

const flagsHelp = (): string =>
  [
    'Flags:',
    '  on or off   --is-icp, --no-is-icp, --is-icp true|false, --is-icp=true|false; the last one wins',
    '  lists       repeat the flag for each value: --titles "VP, Sales" --titles CMO; a comma is part of the value.',
    '              Ids and other values without commas can be separated by commas: --lead-ids <id>,<id>',
    '              Several at once: a JSON array, or @file with one value per line',
    '  objects     JSON, or @file',
    '  null        clears a setting that can be cleared',
    '',
  ].join('\n')

/** Help topics by the word after `les help`. */
export const topics: Readonly<Record<string, () => string>> = {
  'exit-codes': exitCodesHelp,
  environment: environmentHelp,
  flags: flagsHelp,
}

/** The examples at the head of a help text. */
export const examplesHelp = (lines: readonly string[]): string =>
  `Examples:\n${lines.map((line) => `  $ ${line}\n`).join('')}`
