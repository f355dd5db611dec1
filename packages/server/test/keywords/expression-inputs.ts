/** Random expressions with their meaning, derived by splitting instead of parsing, and random text that may mean nothing. */
import { createHistogram } from 'node:perf_hooks'
import fc from 'fast-check'
import { canonicalText, parseExpression, requiredTerms } from '../../src/modules/keywords/rules/expression.ts'
import { expressionJudge } from '../../src/modules/keywords/rules/judge-post.ts'
import { anyText as anyCharacters } from '../any-text.ts'

/** No term contains another, so a post has exactly the terms put into it. */
export const vocabulary = [
  'sales',
  'Growth',
  '"account exec"',
  'C++',
  '#hiring',
  'AI/ML',
  'café',
  '销售',
  "don't",
  '"head of revenue"',
  'and',
  'b2b',
] as const

const unit = fc.record({ not: fc.boolean(), term: fc.constantFrom(...vocabulary) })
const joint = fc.constantFrom(' AND ', ' OR ', ' ', '  OR\n', '\tAND ')

/** An expression as somebody may type it, with its parts. */
export const expressions = fc.array(fc.tuple(joint, unit), { minLength: 1, maxLength: 12 }).map((parts) => ({
  text: parts
    .map(([between, { not, term }], index) => `${index === 0 ? '' : between}${not ? 'NOT ' : ''}${term}`)
    .join(''),
  parts: parts.map(([between, what], index) => ({
    ...what,
    and: index > 0 && between.trim() === 'AND',
    bareNot: index > 0 && what.not && between.trim() === '',
  })),
}))

/** The parts of an expression; `bareNot`: no operator before its NOT, which is refused. */
export type Parts = readonly { not: boolean; term: string; and: boolean; bareNot: boolean }[]

/** Whether the expression keeps a post with exactly these terms: AND binds tighter than OR. */
export function meaning(parts: Parts, present: ReadonlySet<string>): boolean {
  const groups: boolean[] = []
  for (const { not, term, and } of parts) {
    const fits = present.has(term) !== not
    if (and) groups.push(groups.pop()! && fits)
    else groups.push(fits)
  }
  return groups.includes(true)
}

/** A post with these terms, in capitals and among other words. */
export const postWith = (terms: Iterable<string>): string =>
  `We wrote: ${[...terms].map((term) => term.replaceAll('"', '').toUpperCase()).join(', or so; ')} yesterday.`

const pieces = fc.constantFrom(
  'AND',
  'OR',
  'NOT',
  '(',
  ')',
  '"',
  '“',
  ' ',
  '  ',
  '\n',
  'a',
  'b',
  'sales',
  '"sales ops"',
  'é',
  'e\u0301',
  '👩‍🚀',
  '\ud800',
  '\u0000',
  '\u200b',
  '#',
  '+',
  '销',
  'ﬁ',
  'İ',
  '.',
  ',',
  '()',
  '" "',
)

/** Text of every kind: pieces of expressions in any order, and arbitrary characters. */
export const anyText = fc.oneof(
  fc.array(pieces, { maxLength: 130 }).map((list) => list.join('')),
  fc.array(pieces, { maxLength: 40 }).map((list) => list.join(' ')),
  anyCharacters(300),
  fc.string({ maxLength: 1500 }),
)

/** Throws unless the text is refused at a position inside it or its canonical form is stable and judges alike. */
export function mustHold(text: string): void {
  const parsed = parseExpression(text)
  if (!parsed.ok) {
    if (parsed.message.length > 400 || !parsed.message.includes(parsed.token) || parsed.position < 1)
      throw new Error(`a refusal that does not say where: ${JSON.stringify(parsed)}`)
    return
  }
  const canonical = canonicalText(parsed.expression)
  const again = parseExpression(canonical)
  if (!again.ok) throw new Error(`the canonical form is refused: ${again.message}`)
  if (canonicalText(again.expression) !== canonical) throw new Error(`the canonical form moves: ${canonical}`)
  if (requiredTerms(again.expression).join() !== requiredTerms(parsed.expression).join())
    throw new Error(`the terms change: ${canonical}`)
  for (const post of [text, canonical, ''])
    if (expressionJudge(parsed.expression)(post).kept !== expressionJudge(again.expression)(post).kept)
      throw new Error(`the canonical form judges differently: ${canonical}`)
}

/** Throws unless the expression, if accepted, keeps exactly the posts its meaning says. */
export function mustAgree(text: string, parts: Parts, present: ReadonlySet<string>): void {
  const parsed = parseExpression(text)
  if (!parsed.ok) {
    const required = new Set(parts.filter((part) => !part.not).map((part) => part.term))
    if (parts.some((part) => part.bareNot)) {
      if (parsed.token !== 'NOT' || !parsed.message.includes('AND NOT'))
        throw new Error(`refused otherwise than for its NOT: ${parsed.message}`)
      return
    }
    if (required.size >= 1 && required.size <= 10) throw new Error(`refused: ${parsed.message}`)
    return
  }
  if (parts.some((part) => part.bareNot)) throw new Error(`accepted in spite of its NOT: ${text}`)
  const kept = expressionJudge(parsed.expression)(postWith(present)).kept
  if (kept !== meaning(parts, present)) throw new Error(`${text} should ${kept ? 'not ' : ''}keep ${postWith(present)}`)
}

/** The limit per input in milliseconds of CPU time, which does not count other load of the machine. */
export const limitMs = 50

/** The slowest input so far, in milliseconds of CPU time. */
export let slowestMs = 0

/** CPU time per input for parsing, judging and comparing, in microseconds. */
export const tookUs = createHistogram()

/** Runs a check; returns whether it kept the limit. A slow one runs again: garbage collection may have delayed it. */
export function withinLimit(run: () => void): boolean {
  const usedUs = () => {
    const before = process.threadCpuUsage()
    run()
    const { user, system } = process.threadCpuUsage(before)
    return user + system
  }
  const firstUs = usedUs()
  tookUs.record(Math.max(1, firstUs))
  let tookMs = firstUs / 1000
  if (tookMs > limitMs) tookMs = Math.min(firstUs, usedUs(), usedUs()) / 1000
  slowestMs = Math.max(slowestMs, tookMs)
  return tookMs <= limitMs
}
