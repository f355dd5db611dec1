import { exitCodesHelp } from './exit-codes.ts'

const variables: readonly (readonly [string, string])[] = [
  ['LES_API_KEY', 'key of your team; goes before the profile, not before --profile'],
  ['LES_BASE_URL', 'address of the service; without it, that of a service started in this folder'],
  ['LES_DATA_DIR', 'data folder of a service on this machine, in which its address is looked up, else ./.data'],
  ['LES_PROFILE', 'profile to use instead of the current one'],
  ['LES_SIGNING_SECRET', 'signing secret (whsec_…) for les webhooks'],
  ['XDG_CONFIG_HOME', 'where les/config.json is kept, else ~/.config'],
  ['XDG_CACHE_HOME', 'where compiled code is kept, else ~/.cache'],
  ['NO_COLOR', 'set to anything: no colours'],
  ['FORCE_COLOR', 'set to 1: colours where there is no terminal too; NO_COLOR wins'],
  ['TERM', 'dumb: no colours'],
]

function environmentHelp(): string {
  const width = Math.max(...variables.map(([name]) => name.length))
  return `Environment variables:\n${variables.map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}\n`).join('')}`
}

const flagsHelp = (): string =>
  [
    'Flags:',
    '  on or off   --is-icp, --no-is-icp, --is-icp true|false, --is-icp=true|false; the last one counts',
    '  lists       again for each value: --titles "VP, Sales" --titles CMO; a comma belongs to its value.',
    '              Ids and other values that can hold no comma also by commas: --lead-ids <id>,<id>',
    '              All at once: a JSON array, or @file with one value a line',
    '  objects     JSON, or @file',
    '  null        clears what can be cleared',
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
