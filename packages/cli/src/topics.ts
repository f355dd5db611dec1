/** Help that belongs to no command. */
import { exitCodesHelp } from './exit-codes.ts'

const variables: readonly (readonly [string, string])[] = [
  ['LES_API_KEY', 'key of your team; goes before the profile, not before --profile'],
  ['LES_BASE_URL', 'address of the service'],
  ['LES_PROFILE', 'profile to use instead of the current one'],
  ['LES_SIGNING_SECRET', 'signing secret (whsec_…) for les webhooks'],
  ['XDG_CONFIG_HOME', 'where les/config.json is kept, else ~/.config'],
  ['XDG_CACHE_HOME', 'where compiled code is kept, else ~/.cache'],
  ['NO_COLOR', 'set to anything: no colours'],
  ['FORCE_COLOR', 'set to 1: colours where there is no terminal too; NO_COLOR wins'],
  ['TERM', 'dumb: no colours'],
]

/** The text of `les help environment`. */
function environmentHelp(): string {
  const width = Math.max(...variables.map(([name]) => name.length))
  return `Environment variables:\n${variables.map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}\n`).join('')}`
}

/** Topics by the word after `les help`. */
export const topics: Readonly<Record<string, () => string>> = {
  'exit-codes': exitCodesHelp,
  environment: environmentHelp,
}
