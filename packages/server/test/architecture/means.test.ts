/** Time, random numbers, ids, network and settings enter in one place each; SQL reads no clock and makes no id. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parseFile, parseFolder } from './code.ts'
import { meansOf } from './laws.ts'

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
  const parsed = [...parseFolder('server/src'), ...parseFolder('server/migrations')]
  const places: Readonly<Record<string, RegExp>> = {
    clock: /^server\/src\/platform\//,
    random: /^server\/src\/platform\//,
    ids: /^server\/src\/platform\//,
    timers: /^server\/src\/platform\//,
    // What listens speaks HTTP too.
    network: /^server\/src\/platform\/(?:egress\/|metrics-server)|^server\/src\/edge\/http\//,
    environment: /^server\/src\/config\/env\.ts$|^server\/src\/platform\/db\/embedded/,
  }
  it.each(Object.entries(places))('%s', (kind, allowed) => {
    const found = parsed
      .filter(({ path }) => !allowed.test(path))
      .flatMap((file) =>
        meansOf(file)
          .filter((use) => use.kind === kind)
          .map(({ what }) => `${file.path}: ${what}`),
      )
    expect(found).toEqual([])
  })
  it.each([
    ['clock', 'new Date()'],
    ['clock', 'new globalThis.Date()'],
    ['clock', 'const now = Date.now'],
    ['clock', 'const { now } = Date'],
    ['clock', 'performance.now()'],
    ['clock', "Date['now']()"],
    ['random', 'Math.random()'],
    ['random', "import { randomInt } from 'node:crypto'"],
    ['ids', "import { randomUUID as id } from 'node:crypto'"],
    ['ids', 'crypto.randomUUID()'],
    ['timers', 'globalThis.setTimeout(f, 1)'],
    ['timers', "import 'node:timers/promises'"],
    ['network', "import http from 'node:http'"],
    ['network', 'globalThis.fetch(url)'],
    ['environment', 'const { env } = process'],
    ['environment', "import { env } from 'node:process'"],
    ['environment', "process['env']"],
  ])('a planted use of %s is caught: %s', (kind, text) => {
    expect(meansOf(parseFile('server/src/x.ts', text)).map((use) => use.kind)).toContain(kind)
  })
  it('SQL reads no clock and makes no id', () => {
    expect(
      uses(
        /\bnow\(\)|\bcurrent_(?:timestamp|date|time)\b|\bclock_timestamp\(|\bgen_random_uuid\(|\buuidv7\(/i,
        /platform\/db\/embedded|platform\/clock\.ts/,
      ),
    ).toEqual([])
  })
})
