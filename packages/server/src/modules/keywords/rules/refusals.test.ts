/** The words that searches are refused in: they name what is wrong and say what to write instead [EXP-10, KEY-71, G70, G147]. */
import { describe, expect, it } from 'vitest'
import { deprecationsOf, missingScope } from './contract-version.ts'
import { parseExpression, warningsOf } from './expression.ts'
import { endlessSchedule } from '../../sources/rules/schedule.ts'
import { decideSchedule } from './schedule.ts'
import { freshState, mergeSettings, type RequestedSearch, type SearchState } from './settings.ts'
import { readSubject, type SentSubject } from './subject.ts'
import { operatorIn, termFault } from './terms.ts'
import { decideTrack, type TrackRequest } from './track.ts'

describe('an expression', () => {
  const not = 'NOT binds tighter than AND, and AND tighter than OR: for (a OR b) AND c write a AND c OR b AND c.'
  const parenthesis = `is a parenthesis, which an expression does not have. ${not}`
  const inQuotes = 'has a parenthesis inside the quotes. Leave it out: posts are matched by words.'
  const control = 'has a control character. Leave it out.'
  const nothing =
    'has neither a letter nor a digit nor a symbol. Leave it out, or put it in double quotes together with a word.'
  const lower = (word: string) => `or write ${word} in lower case to search for the word.`
  const many = (count: number, joint: string) => Array.from({ length: count }, (_, at) => `t${at + 1}`).join(joint)
  it.each<readonly [text: string, token: string, position: number, why: string]>([
    ['a AND', 'AND', 3, `has no term after it. Add one, ${lower('and')}`],
    ['a OR ', 'OR', 3, `has no term after it. Add one, ${lower('or')}`],
    ['a AND NOT', 'NOT', 7, `has no term after it. Add one, ${lower('not')}`],
    ['NOT', 'NOT', 1, `has no term after it. Add one, ${lower('not')}`],
    ['AND a', 'AND', 1, `has no term before it. Begin with a term, ${lower('and')}`],
    ['OR a', 'OR', 1, `has no term before it. Begin with a term, ${lower('or')}`],
    ['a AND OR b', 'OR', 7, `follows AND. Put a term between the two, ${lower('or')}`],
    ['a OR AND b', 'AND', 6, `follows OR. Put a term between the two, ${lower('and')}`],
    ['a OR NOT AND b', 'AND', 10, `follows NOT. Put a term between the two, ${lower('and')}`],
    ['a AND NOT NOT b', 'NOT', 11, 'follows another NOT. Write one NOT before each term to exclude.'],
    ['NOT NOT b', 'NOT', 5, 'follows another NOT. Write one NOT before each term to exclude.'],
    [
      'a NOT b',
      'NOT',
      3,
      'follows a term without an operator and would be an alternative of its own. Write AND NOT to exclude what comes after it.',
    ],
    ['a "b', '"b', 3, 'opens a phrase that never ends. Add the closing double quote.'],
    ['a ( b', '(', 3, parenthesis],
    ['a ) b', ')', 3, parenthesis],
    ['()', '(', 1, parenthesis],
    ['"(a)"', '"(a)"', 1, inQuotes],
    ['a "b\u0000"', '"b "', 3, control],
    ['a \u0007', ' ', 3, control],
    ['a -', '-', 3, nothing],
    ['a "" b', '""', 3, nothing],
    [
      'NOT a',
      'NOT',
      1,
      'begins an expression of exclusions only, which finds nothing to exclude from. Add a term to search for.',
    ],
    [many(11, ' OR '), 't11', 62, 'is required term 11; an expression has at most 10.'],
    [many(11, ' AND '), 't11', 72, 'is required term 11; an expression has at most 10.'],
    [Array(61).fill('a').join(' '), 'a', 121, 'is token 61; an expression has at most 60 terms and operators.'],
    [`${'x'.repeat(999)} yz`, 'yz', 1_001, 'passes the end of the longest expression, 1000 characters.'],
    [`${'x'.repeat(1_000)} yz`, 'y', 1_001, 'passes the end of the longest expression, 1000 characters.'],
    [` ${'x'.repeat(998)} yz zz`, 'z', 1_002, 'passes the end of the longest expression, 1000 characters.'],
    [
      `${'x'.repeat(1_000)}${'y'.repeat(1_100)}`,
      `${'y'.repeat(40)}…`,
      1_001,
      'passes the end of the longest expression, 1000 characters.',
    ],
  ])('%# is refused at its token, with the way out', (text, token, position, why) =>
    expect(parseExpression(text)).toEqual({
      ok: false,
      token,
      position,
      message: `Expression: \`${token}\` at character ${position} ${why}`,
    }),
  )
  it('that is blank is refused with an example', () =>
    expect(parseExpression(' \n')).toEqual({
      ok: false,
      token: '',
      position: 1,
      message: 'Expression: it is blank. Write at least one term, such as sales AND "head of growth".',
    }))
  it.each<readonly [phrase: string, shown: string]>([
    ['x'.repeat(39), `"${'x'.repeat(39)}`],
    ['x'.repeat(40), `"${'x'.repeat(39)}…`],
    // A character of two halves is not shown by one of them.
    [`${'x'.repeat(38)}\u{1f680}`, `"${'x'.repeat(38)}\ufffd…`],
  ])('shows of a token at most 40 characters: %#', (phrase, token) =>
    expect(parseExpression(`a "${phrase}`)).toMatchObject({ token, position: 3 }),
  )
  it('with an alternative of exclusions is taken with a warning', () => {
    const parsed = parseExpression('a OR NOT b AND NOT c')
    expect(parsed.ok && warningsOf(parsed.expression)).toEqual([
      'The alternative (NOT b AND NOT c) holds exclusions only, so it matches nearly every post, ' +
        'and those posts cost credits. To leave such posts out, join it to the other terms by AND instead of OR.',
    ])
  })
})

describe('a term', () => {
  it.each<readonly [term: string, fault: string | null]>([
    ['sales', null],
    ['"head of"', null],
    ['(a', 'has a parenthesis'],
    ['a)', 'has a parenthesis'],
    ['"a', 'has a double quote without its pair'],
    ['"a" "b', 'has a double quote without its pair'],
    ['"a" "b"', null],
    ['a\u0000', 'has a control character'],
    ['a\ud800', 'has a control character'],
    ['!?', 'has neither a letter nor a digit nor a symbol'],
    ['', 'has neither a letter nor a digit nor a symbol'],
    ['&', null],
  ])('%j: %j', (term, fault) => expect(termFault(term)).toBe(fault))
  it.each<readonly [term: string, operator: string | null]>([
    ['a AND b', 'AND'],
    ['NOT a', 'NOT'],
    ['a OR', 'OR'],
    ['a or b', null],
    ['SAND AND-OR', null],
    ['"a AND b"', null],
    ['"a" OR "b"', 'OR'],
    ['a OR b AND c', 'OR'],
  ])('%j holds the operator %j', (term, operator) => expect(operatorIn(term)).toBe(operator))
})

describe('what is searched for', () => {
  const long = 'x'.repeat(90)
  it.each<readonly [sent: SentSubject, message: string]>([
    [{ keywords: ['a', 'b)'] }, '`keywords[1]` must be words or a phrase in double quotes: "b)" has a parenthesis'],
    [{ keyword: '(' }, '`keyword` must be words or a phrase in double quotes: "(" has a parenthesis'],
    [
      { keyword: `${long}(` },
      `\`keyword\` must be words or a phrase in double quotes: "${'x'.repeat(80)}…" has a parenthesis`,
    ],
    [
      { keyword: `${'x'.repeat(79)}(` },
      `\`keyword\` must be words or a phrase in double quotes: "${'x'.repeat(79)}(" has a parenthesis`,
    ],
    [
      { keyword: 'a AND b' },
      '`keyword` holds the operator AND: "a AND b". Send it as `expression` to join terms, ' +
        'or write and in lower case, or the term in double quotes, to search for the word',
    ],
    [{ keywords: ['a', 'b', ' A '] }, '`keywords[2]` must differ from the other terms: "A" is there twice'],
    [
      { expression: 'a AND' },
      '`expression` is malformed. Expression: `AND` at character 3 has no term after it. ' +
        'Add one, or write and in lower case to search for the word.',
    ],
  ])('%# is refused in words', (sent, message) => expect(readSubject(sent)).toEqual({ ok: false, message }))
  it('is nothing of a request without terms', () =>
    expect(readSubject({})).toEqual({
      ok: true,
      subject: { terms: [], expression: null, username: '', identity: '', warnings: [] },
    }))
  it('is warned of with its expression', () =>
    expect(readSubject({ expression: 'a OR NOT b' })).toMatchObject({
      ok: true,
      subject: { terms: ['a'], warnings: [expect.stringContaining('NOT b')] },
    }))
})

const now = new Date('2026-11-20T12:00:00Z')
const fresh = freshState({ terms: ['a'], expression: null })
const after = (state: SearchState, named: RequestedSearch): SearchState => {
  const merged = mergeSettings(state, named, now)
  if (!merged.ok) throw new Error(JSON.stringify(merged))
  return merged.state
}
const watch = after(fresh, { mode: 'posts_only', postsPerSync: 5 })
const broad = after(fresh, { captureMode: 'breadth', maxEngagementsPerPost: 5 })

describe('settings', () => {
  const nobody = 'cannot be combined with mode posts_only, which captures nobody'
  it.each<readonly [state: SearchState, named: RequestedSearch, message: string | null]>([
    [watch, { captureEngagers: true }, `\`captureEngagers\` ${nobody}`],
    [watch, { capturePostAuthors: false }, `\`capturePostAuthors\` ${nobody}`],
    [watch, { mode: 'posts_only' }, null],
    [watch, { postsPerSync: 6 }, null],
    [watch, { mode: 'engagers', captureEngagers: true }, null],
    [watch, { mode: 'engagers', postsPerSync: 5 }, '`postsPerSync` is only allowed with mode: posts_only'],
    [fresh, { postsPerSync: 5 }, '`postsPerSync` is only allowed with mode: posts_only'],
    [fresh, { mode: 'posts_only' }, '`postsPerSync` is required with mode posts_only: a whole number from 1 to 60'],
    [fresh, { maxEngagementsPerPost: 5 }, '`maxEngagementsPerPost` is only allowed with captureMode: breadth'],
    [fresh, { maxEngagementsPerPost: null }, null],
    [
      broad,
      { captureMode: 'depth', maxEngagementsPerPost: 5 },
      '`maxEngagementsPerPost` is only allowed with captureMode: breadth',
    ],
    [broad, { maxEngagementsPerPost: 6 }, null],
    [broad, { captureMode: 'depth' }, null],
  ])('%# are refused in words', (state, named, message) => {
    const merged = mergeSettings(state, named, now)
    expect(merged.ok ? null : merged).toEqual(message === null ? null : { ok: false, kind: 'invalid', message })
  })
  it.each<readonly [state: SearchState, named: RequestedSearch, capturing: readonly [boolean, boolean]]>([
    [fresh, {}, [true, false]],
    [fresh, { capturePostAuthors: true }, [true, true]],
    [fresh, { captureEngagers: false, capturePostAuthors: true }, [false, true]],
    [watch, {}, [true, false]],
    [after(fresh, { capturePostAuthors: true }), { mode: 'posts_only', postsPerSync: 1 }, [true, false]],
  ])('%# capture engagers and authors as they are named', (state, named, capturing) => {
    const { captureEngagers, capturePostAuthors } = after(state, named).search
    expect([captureEngagers, capturePostAuthors]).toEqual(capturing)
  })
  it('without anybody to capture are refused with a code of their own', () => {
    const authors = after(fresh, { captureEngagers: false, capturePostAuthors: true })
    for (const named of [{ capturePostAuthors: false }, { captureEngagers: false, capturePostAuthors: false }])
      expect(mergeSettings(authors, named, now)).toEqual({ ok: false, kind: 'no_capture_target' })
  })
  it('keep a limit per post only in breadth', () => {
    expect(after(broad, {}).search.maxEngagementsPerPost).toBe(5)
    expect(after(broad, { maxEngagementsPerPost: null }).search.maxEngagementsPerPost).toBeNull()
    expect(after(broad, { captureMode: 'depth' }).search).toMatchObject({
      captureMode: 'depth',
      maxEngagementsPerPost: null,
    })
  })
  it('begin with these', () =>
    expect(fresh.search).toEqual({
      terms: ['a'],
      expression: null,
      name: null,
      sort: 'DATE_POSTED',
      datePosted: 'PAST_WEEK',
      contentType: null,
      filters: {},
      ai: null,
      creditCap: 100,
      captureEngagers: true,
      capturePostAuthors: false,
      captureMode: 'depth',
      maxEngagementsPerPost: null,
    }))
})

describe('the scope', () => {
  const words = {
    creditCap: 'Name creditCap, the credits one run may spend: the spend contract requires it.',
    captureMode: 'Name captureMode, depth or breadth: the spend contract requires it.',
    datePosted: 'Name datePosted, how old found posts may be: the spend contract requires it.',
    confirmSpend: 'Send confirmSpend: true: under the spend contract nothing is tracked without it.',
  }
  const told = (...fields: (keyof typeof words)[]) => fields.map((field) => ({ field, message: words[field] }))
  const all = { creditCap: 1, captureMode: 'depth', datePosted: 'PAST_WEEK' }
  it('that is left out is told field by field, in words', () => {
    expect(deprecationsOf({}, undefined)).toEqual(told('creditCap', 'captureMode', 'datePosted', 'confirmSpend'))
    expect(deprecationsOf({ captureMode: null }, true)).toEqual(told('creditCap', 'datePosted'))
    expect(deprecationsOf(all, false)).toEqual(told('confirmSpend'))
    expect(deprecationsOf(all, true)).toEqual([])
    expect(missingScope({ creditCap: 1 })).toEqual(['captureMode', 'datePosted'])
  })
})

describe('a schedule', () => {
  const soon = new Date(now.getTime() + 1)
  const stopped = { ...endlessSchedule, stoppedAt: new Date('2026-11-01'), runsCompleted: 2 } as const
  it.each<
    readonly [
      what: string,
      present: typeof endlessSchedule,
      named: Parameters<typeof decideSchedule>[1],
      result: object,
    ]
  >([
    ['an end at this instant has come', endlessSchedule, { endAt: now }, { stoppedAt: now, stoppedReason: 'end_at' }],
    [
      'one a moment later has not',
      endlessSchedule,
      { endAt: soon },
      { stoppedAt: null, stoppedReason: null, endAt: soon },
    ],
    [
      'an end that is not named stays',
      { ...endlessSchedule, endAt: soon },
      { maxRuns: 3 },
      { endAt: soon, maxRuns: 3 },
    ],
    ['null lifts it', { ...endlessSchedule, endAt: soon }, { endAt: null }, { endAt: null }],
    [
      'one run on purpose keeps an end',
      { ...endlessSchedule, endAt: soon },
      { runOnce: true },
      { endAt: soon, runOnce: true, maxRuns: 1 },
    ],
    ['runs without a limit', { ...endlessSchedule, maxRuns: 2 }, { maxRuns: null }, { maxRuns: null, runOnce: false }],
    ['one run is no run once unless it was', endlessSchedule, { maxRuns: 1 }, { maxRuns: 1, runOnce: false }],
    [
      'nor when it is said so',
      { ...endlessSchedule, runOnce: true, maxRuns: 1 },
      { maxRuns: 1, runOnce: false },
      { maxRuns: 1, runOnce: false },
    ],
    ['no run once lifts a limit of one', { ...endlessSchedule, maxRuns: 1 }, { runOnce: false }, { maxRuns: null }],
    [
      'nothing named changes nothing',
      { ...endlessSchedule, maxRuns: 7, runOnce: false },
      {},
      { maxRuns: 7, runOnce: false },
    ],
    [
      'the runs are one below the limit',
      { ...stopped, maxRuns: 2, stoppedReason: 'max_runs' },
      { maxRuns: 3 },
      { stoppedAt: null, stoppedReason: null },
    ],
    [
      'the end that stopped it holds beside the runs',
      { ...stopped, endAt: now, stoppedReason: 'end_at' },
      { maxRuns: 2 },
      { stoppedAt: stopped.stoppedAt, stoppedReason: 'end_at' },
    ],
    [
      'the end that stopped it is gone, the runs hold',
      { ...stopped, endAt: now, maxRuns: 2, stoppedReason: 'end_at' },
      { endAt: soon },
      { stoppedAt: stopped.stoppedAt, stoppedReason: 'max_runs' },
    ],
  ])('%s', (_what, present, named, result) => expect(decideSchedule(present, named, now)).toMatchObject(result))
})

describe('tracking', () => {
  const request: TrackRequest = {
    subject: { terms: ['a'], expression: null },
    named: {},
    contract: 'older',
    confirmSpend: undefined,
    confirmChanges: undefined,
    balance: 100,
    now,
  }
  const held = (active: boolean, state: SearchState = fresh) => ({ type: 'keyword', active, state })
  it('says whether it revives, from what, to what', () => {
    expect(decideTrack(null, request)).toMatchObject({ kind: 'track', before: null, changed: [], revived: false })
    expect(decideTrack(held(true), request)).toMatchObject({ kind: 'track', before: fresh, revived: false })
    expect(decideTrack(held(false), request)).toMatchObject({ kind: 'track', before: fresh, revived: true })
    const counted = { ...fresh, schedule: { ...endlessSchedule, maxRuns: 3, runsCompleted: 2 } }
    const runs = (active: boolean) => {
      const decision = decideTrack(held(active, counted), request)
      return decision.kind === 'track' ? decision.state.schedule.runsCompleted : decision.kind
    }
    expect([runs(true), runs(false)]).toEqual([2, 0])
  })
  it('of what rewrites shows both sides, and only the rewrites', () => {
    const decision = decideTrack(held(true), { ...request, named: { datePosted: 'PAST_MONTH', creditCap: 7 } })
    expect(decision).toMatchObject({
      kind: 'conflict',
      previous: { datePosted: 'PAST_WEEK', creditCap: 100 },
      settings: { datePosted: 'PAST_MONTH', creditCap: 7 },
      changed: [{ field: 'datePosted', from: 'PAST_WEEK', to: 'PAST_MONTH' }],
    })
    expect(decision).toHaveProperty('changed.length', 1)
    expect(decideTrack(held(true), { ...request, named: { creditCap: 7 } }).kind).toBe('track')
  })
  it('quotes no rewrite where there is none', () => {
    const spend = decideTrack(null, {
      ...request,
      contract: 'spend',
      named: { creditCap: 7, captureMode: 'depth', datePosted: 'PAST_WEEK' },
    })
    expect(spend).toMatchObject({ kind: 'spend' })
    expect(spend).not.toHaveProperty('figures.changed')
  })
})
