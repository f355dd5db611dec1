/** How the command line names things: nouns and then a verb for each operation, one flag for each field. */
import commandWords from './command-words.json' with { type: 'json' }
import type { Operation } from './operation.ts'

/** For example `['profile', 'webhook', 'get']`. */
export type Words = readonly [string, ...string[]]

const named: Readonly<Record<string, string>> = commandWords

const verbs: Readonly<Record<string, string>> = { update: 'edit', read: 'get' }

/**
 * The default rule: nouns from the path, verb from the first word of the id, not repeated (`/enrich/profile` +
 * `enrichProfile` is `enrich profile`; `/keyword/{id}/webhook` + `getKeywordWebhook` is `keyword webhook get`).
 */
function byRule({ id, path, method }: Operation): Words {
  const nouns = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'))
  const first = /^[a-z]+/.exec(id)?.[0] ?? 'call'
  const verb = method === 'PUT' && first === 'update' ? 'set' : (verbs[first] ?? first)
  const words = nouns.includes(verb) ? nouns : [...nouns, verb]
  return words as unknown as Words
}

/** The words of the operation's command. */
export function wordsOf(operation: Operation): Words {
  const known = named[operation.id]
  return known === undefined ? byRule(operation) : (known.split(' ') as unknown as Words)
}

/** The flag of a field in kebab-case, without its dashes (CLI-02). */
export function flagName(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()
}
