/** Recorded answers, and the shape of answers: which keys, value types and text conventions they have. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'

/** A recorded answer (recorded/README.md). `odd`: its rows are not a model for other answers. */
export type Recorded = {
  readonly name: string
  readonly seen: string
  readonly at: string
  readonly odd?: true
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body: unknown
}
/** The recorded answers of one operation. */
export type RecordedFile = { readonly operation: string; readonly answers: readonly Recorded[] }

const folder = join(import.meta.dirname, 'recorded')

/** The recordings of a vendor, by operation. */
export const recordingsOf = (vendor: string): RecordedFile[] =>
  readdirSync(join(folder, vendor))
    .filter((name) => name.endsWith('.json') && !name.endsWith('.golden.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(folder, vendor, name), 'utf8')) as RecordedFile)

/** Every operation has at least five answers, each with where and when its shape was seen. */
export function expectRecorded(files: readonly RecordedFile[]): void {
  for (const { operation, answers } of files) {
    expect([operation, answers.length >= 5, new Set(answers.map(({ name }) => name)).size]).toEqual([
      operation,
      true,
      answers.length,
    ])
    for (const { seen, at } of answers)
      expect([seen.length > 5, at]).toEqual([true, expect.stringMatching(/^2026-\d\d-\d\d$/)])
  }
}

/** Compares the adapter's result with its golden file; `vitest -u` rewrites it. */
export const expectGolden = (vendor: string, operation: string, read: unknown): Promise<void> =>
  expect(`${JSON.stringify(read, null, 1)}\n`).toMatchFileSnapshot(join(folder, vendor, `${operation}.golden.json`))

/** Conventions in which texts are written; anything else is just text. */
const conventions: readonly (readonly [string, RegExp])[] = [
  ['instant', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/],
  ['full date', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0000 UTC$/],
  ['member id', /^AC[ow]AA[\w-]{34}$/],
  ['urn', /^urn:li:/],
  ['address', /^https:\/\//],
  ['number', /^\d+$/],
]
const free = new Set(['text', 'empty text'])

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  if (typeof value !== 'string') return typeof value
  return value === '' ? 'empty text' : (conventions.find(([, shape]) => shape.test(value))?.[0] ?? 'text')
}

type Shape = Map<string, Set<string>>

/** The kinds of values at every path of an answer; rows of a list share a path. Echoed requests are left out. */
function shapeOf(value: unknown, shape: Shape = new Map(), path = ''): Shape {
  const kinds = shape.get(path) ?? new Set()
  shape.set(path, kinds.add(kindOf(value)))
  if (/\.(query|originalQuery)$/.test(path)) return shape
  if (Array.isArray(value)) for (const row of value) shapeOf(row, shape, `${path}[]`)
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) shapeOf(inner, shape, `${path}.${key}`)
  return shape
}

/** Required paths that are missing although their parent has a value. */
function missingIn(value: unknown, required: ReadonlySet<string>, path = ''): string[] {
  if (/\.(query|originalQuery)$/.test(path)) return []
  if (Array.isArray(value)) return value.flatMap((row) => missingIn(row, required, `${path}[]`))
  if (typeof value !== 'object' || value === null) return []
  const missing = [...required].filter(
    (one) => one.slice(0, one.lastIndexOf('.')) === path && !Object.hasOwn(value, one.slice(one.lastIndexOf('.') + 1)),
  )
  return [...missing, ...Object.entries(value).flatMap(([key, inner]) => missingIn(inner, required, `${path}.${key}`))]
}

/** How an answer differs from the recordings: an unknown key or kind of value, or a missing key that all of them have. */
export function differences(answer: unknown, recorded: readonly unknown[]): string[] {
  const known: Shape = new Map()
  for (const body of recorded) shapeOf(body, known)
  const always = new Set(
    [...known.keys()].filter(
      (path) => path.includes('.') && recorded.every((body) => missingIn(body, new Set([path])).length === 0),
    ),
  )
  const found: string[] = []
  for (const [path, kinds] of shapeOf(answer)) {
    const shown = known.get(path)
    if (shown === undefined) found.push(`${path} is in no recording`)
    else
      for (const kind of kinds)
        if (
          !shown.has(kind) &&
          !(kind === 'null' && shown.size > 0) &&
          !(free.has(kind) && [...shown].some((one) => free.has(one)))
        )
          found.push(`${path} is ${kind}, recorded as ${[...shown].join(' or ')}`)
  }
  return [...found, ...[...new Set(missingIn(answer, always))].map((path) => `${path} is missing`)]
}
