/** Strangers' input is read in linear rather than quadratic CPU time: a text is compared with one ten times as long. */
import { describe, expect, it } from 'vitest'
import { companySizeOfRange, parseHeaderLines } from '@les/contract'
import { kindsOf } from '../../modules/fit/rules/post-kinds.ts'
import { wordsOf } from '../../modules/fit/rules/words.ts'
import { redact } from '../../platform/log.ts'
import { wordsOfPage } from '../../providers/vendor-message.ts'
import { readCredential } from '../mcp/credentials.ts'
import { encodingOf } from './represent.ts'
import { pathOf, readTarget } from './target.ts'

const shapes = [
  ' ',
  '\t',
  'a',
  'a.',
  'a ',
  'a;',
  '; ',
  ' ;',
  ',',
  ', ',
  '<',
  '< ',
  '"',
  "'a ",
  '%41',
  'a=&',
  'cs_',
  'Bearer ',
  'x://',
  '(((',
  '0',
  '\r\t',
  '<h1<i',
]

const readers: readonly [string, (text: string) => unknown][] = [
  ['Accept-Encoding', (text) => encodingOf(`gzip${text}x`)],
  ['Authorization', (text) => readCredential({ authorization: `Bearer ${text} x` }, undefined)],
  ['a target', (text) => [pathOf(`http://${text}`), readTarget(`/api/v1/${text}?${text}`, '/api/v1')]],
  ['a line of the log', (text) => redact(`${text}!`)],
  ['headers that a person pastes', (text) => parseHeaderLines(`a:${text}\r!`)],
  ['a size of a company', (text) => companySizeOfRange(`${text}a`)],
  ['a page of a vendor', (text) => wordsOfPage(`<h1${text}!`)],
  ['a post', (text) => kindsOf(wordsOf(`we are hiring${text}!`))],
]

/** CPU time of one reading, the least of several, to exclude other load. */
function cost(read: (text: string) => unknown, text: string): number {
  const times = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage()
    read(text)
    const { user, system } = process.cpuUsage(before)
    return user + system
  })
  return Math.min(...times)
}

/** Below this, growth is measurement noise; quadratic growth is far above it. */
const noiseMicroseconds = 60_000

describe.each(readers)('%s', (_name, read) => {
  it.each(shapes)('of %j is read in proportion to its length', (shape) => {
    const of = (length: number) => shape.repeat(Math.ceil(length / shape.length)).slice(0, length)
    read(of(3_000))
    const [short, long] = [cost(read, of(3_000)), cost(read, of(30_000))]
    expect(long).toBeLessThanOrEqual(Math.max(noiseMicroseconds, short * 40))
  })
})
