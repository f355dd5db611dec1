/** How the command line names things: which words call which operation, nouns and then a verb, and which flag carries which field. */
import commandWords from './command-words.json' with { type: 'json' }
import type { Operation } from './operation.ts'

/** The words of a command, for example `['profile', 'webhook', 'get']`. */
export type Words = readonly [string, ...string[]]

/** Operations whose words the rule below would not get right. */
const named: Readonly<Record<string, string>> = commandWords

const verbs: Readonly<Record<string, string>> = { update: 'edit', read: 'get' }

/**
 * The rule for every other operation: the words of its path are the nouns, the first word of its id is the verb, said once
 * (`/enrich/profile` + `enrichProfile` is `enrich profile`; `/keyword/{id}/webhook` + `getKeywordWebhook` is `keyword webhook get`).
 */
function byRule({ id, path, method }: Operation): Words {
  const nouns = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'))
  const first = /^[a-z]+/.exec(id)?.[0] ?? 'call'
  const verb = method === 'PUT' && first === 'update' ? 'set' : (verbs[first] ?? first)
  const words = nouns.includes(verb) ? nouns : [...nouns, verb]
  return words as unknown as Words
}

/** The words of any operation: there is none without. */
export function wordsOf(operation: Operation): Words {
  const known = named[operation.id]
  return known === undefined ? byRule(operation) : (known.split(' ') as unknown as Words)
}

/** The flag of a field, without its dashes: kebab-case (CLI-02). */
export function flagName(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()
}
