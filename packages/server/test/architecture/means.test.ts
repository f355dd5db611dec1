/** Time, chance, ids, network and settings enter in one place each (design §4, §6); SQL reads no clock and makes no id. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const packages = resolve(dirname(fileURLToPath(import.meta.url)), '../../..')

function files(folder: string): string[] {
  return readdirSync(join(packages, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => relative(packages, join(entry.parentPath, entry.name)))
}

/** Text of a file without comments, so that a word in prose is no use of it. */
const code = (file: string) =>
  readFileSync(join(packages, file), 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|[^:'"`])\/\/.*$/gm, '$1')

const uses = (pattern: RegExp, allowed: RegExp) =>
  [...files('server/src'), ...files('server/migrations')].filter(
    (file) => !allowed.test(file) && pattern.test(code(file)),
  )

describe('one place each', () => {
  it.each([
    ['the machine clock', /\bDate\.now\b|\bnew Date\(\)|performance\.now/, /^server\/src\/platform\//],
    ['chance', /\bMath\.random\b|\brandomInt\b/, /^server\/src\/platform\//],
    ['ids', /\brandomUUID\b/, /^server\/src\/platform\//],
    ['timers', /(?<!\.)\bset(?:Timeout|Interval|Immediate)\b|timers\/promises/, /^server\/src\/platform\//],
    ['outbound HTTP', /\bfetch\(|from 'undici'|from 'node:https'/, /^server\/src\/platform\/egress\//],
    ['the environment', /\bprocess\.env\b/, /^server\/src\/config\/env\.ts$|^server\/src\/platform\/db\/embedded/],
  ] as const)('%s', (_what, pattern, allowed) => {
    expect(uses(pattern, allowed)).toEqual([])
  })
  it('SQL reads no clock and makes no id', () => {
    expect(
      uses(
        /\bnow\(\)|\bcurrent_(?:timestamp|date|time)\b|\bclock_timestamp\(|\bgen_random_uuid\(|\buuidv7\(/i,
        /platform\/db\/embedded|platform\/clock\.ts/,
      ),
    ).toEqual([])
  })
  /** Files that wait to be divided: nothing is added to this list, and one that has become small leaves it. */
  const waiting = [
    'server/src/compose.ts',
    'server/src/config/env.ts',
    'server/src/modules/sources/runs.ts',
    'server/src/modules/sources/store.ts',
  ]
  it('every file stays small enough to read', () => {
    const long = files('server/src').filter(
      (file) => !file.endsWith('db/schema.ts') && readFileSync(join(packages, file), 'utf8').split('\n').length > 330,
    )
    expect(long).toEqual(waiting)
  })
  it('no line limit is bought with any', () => {
    expect(
      [...files('server/src'), ...files('contract/src'), ...files('sandbox/src'), ...files('cli/src')].filter(
        (file) => !file.includes('/testing/') && /:\s*any\b|<any>|as any\b/.test(code(file)),
      ),
    ).toEqual([])
  })
})
