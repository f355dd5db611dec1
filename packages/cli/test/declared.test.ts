import { describe, expect, it } from 'vitest'
import { identityOf, readDeclared, type DeclaredSource } from '../src/declared/document.ts'
import { costOf, isSame, planOf } from '../src/declared/plan.ts'
import { addSources, emptyFile, parseFile, resolved, updateFile } from '../src/declared/yaml.ts'

const person = (name: string, settings = {}): DeclaredSource => ({ key: 'person', name, settings })
const nothing = { sources: new Map(), agent: undefined, balance: 100 }
const there = (source: DeclaredSource, row: object) => ({
  ...nothing,
  sources: new Map([[identityOf(source), { ...source, id: 'i', row: row as Record<string, unknown> }]]),
})

describe('a file', () => {
  it('is judged by the contract, and everything wrong with it is said with its place', () => {
    const { problems } = readDeclared({
      version: 2,
      more: 1,
      sources: [
        { person: 'jane-doe', settings: { creditCapPerSync: 0, creditCap: 5 } },
        { person: 'JANE-doe' },
        { person: 'a', company: 'b' },
        { search: 'growth' },
        { company: 'acme', webhook: { url: 'nonsense', auto: true } },
      ],
      agent: { dailyCredits: 'many' },
    })
    const places = problems.map(({ where }) => where)
    for (const place of [
      'version',
      'the file.more',
      'sources[0].settings.creditCap',
      'sources[1]',
      'sources[2]',
      'sources[3].search',
      'sources[4].webhook.auto',
      'agent.dailyCredits',
    ])
      expect(places).toContain(place)
    expect(places.some((place) => place.startsWith('sources[0].settings.creditCapPerSync'))).toBe(true)
  })
  it('holds rows of filters as the service keeps them, so that nothing differs for ever [WLD-17]', () => {
    const rows = [{ column: 'company_staff_range', operator: 'equals', value: '10,001+' }]
    const read = [{ column: 'companyStaffRange', operator: 'equals', value: '10001+' }]
    const { declared, problems } = readDeclared({
      version: 1,
      sources: [{ person: 'jane-doe', icp: { rules: rows }, outreach: { campaignId: '1', filters: rows } }],
      agent: { webhook: { url: 'https://hooks.example/a', filters: rows } },
    })
    expect(problems).toEqual([])
    expect(declared.sources[0]).toMatchObject({ icp: { rules: read }, outreach: { campaignId: '1', filters: read } })
    expect(declared.agent).toEqual({ webhook: { url: 'https://hooks.example/a', filters: read } })
    const wrong = [{ column: 'companyStaffRange', operator: 'equals', value: 'large' }]
    expect(readDeclared({ version: 1, sources: [{ person: 'a', icp: { rules: wrong } }] }).problems).toEqual([
      { where: 'sources[0].icp.rules.0.value', what: expect.stringContaining('must be one of 1-10, 11-50') as string },
    ])
  })
  it('takes values from the environment, and names those that are missing', () => {
    const missing: string[] = []
    expect(resolved({ a: ['${env:X}', 'x${env:X}'], b: '${env:Y}' }, { X: 'v' }, missing)).toEqual({
      a: ['v', 'x${env:X}'],
      b: '',
    })
    expect(missing).toEqual(['Y'])
  })
  it('names a source in any spelling that the interface takes, also by the environment, and once [FIX-03]', () => {
    const file = parseFile(
      'version: 1\nsources:\n  - person: "@JANE-Doe" # hers\n  - company: ${env:PAGE}\n  - person: jane-doe\n',
      'f',
    )
    const sources = [person('jane-doe'), { ...person('acme'), key: 'company' as const }]
    const current = {
      ...nothing,
      sources: new Map(sources.map((each) => [identityOf(each), { ...each, id: 'i', row: {} }])),
    }
    updateFile(file, current, { PAGE: 'https://www.linkedin.com/company/Acme/' })
    expect(file.toString()).toBe('version: 1\nsources:\n  - person: "@JANE-Doe" # hers\n  - company: ${env:PAGE}\n')
  })
  it('keeps comments when sources are added, and adds none twice', () => {
    const file = parseFile('version: 1\nsources:\n  # hers\n  - person: jane-doe # ok\n', 'f')
    expect(addSources(file, [person('JANE-DOE'), person('joe')], {})).toBe(1)
    expect(file.toString()).toBe('version: 1\nsources:\n  # hers\n  - person: jane-doe # ok\n  - person: joe\n')
    const fresh = emptyFile()
    addSources(fresh, [person('a')], {})
    expect(readDeclared(fresh.toJSON())).toMatchObject({ problems: [], declared: { sources: [{ name: 'a' }] } })
  })
})

describe('a plan', () => {
  const declared = (...sources: DeclaredSource[]) => ({ sources, agent: undefined })

  it('tracks what is not there, within what its limits cost a day', () => {
    const plan = planOf(declared(person('a', { creditCapPerSync: 30 }), person('b')), nothing, false)
    expect(plan.steps.map(({ sign, what, spends }) => [sign, what, spends])).toEqual([
      ['+', 'person a', true],
      ['+', 'person b', true],
    ])
    expect(costOf(plan)).toEqual({ atMost: 30, unlimited: ['person b'] })
  })
  it('names only what the file names and what differs', () => {
    const now = there(person('a'), { creditCapPerSync: 30, captureReplies: true, mode: 'engagers' })
    expect(planOf(declared(person('a', { captureReplies: true })), now, false).steps).toEqual([])
    const [step] = planOf(declared(person('a', { creditCapPerSync: 20, captureReplies: false })), now, false).steps
    expect(step).toMatchObject({
      operationId: 'editProfile',
      input: { username: 'a', creditCapPerSync: 20, captureReplies: false },
      dailyCredits: 0,
      spends: false,
    })
  })
  it('asks for a yes where an edit can cost more: a higher cap, none, or posts instead', () => {
    const now = there(person('a'), { creditCapPerSync: 30, mode: 'engagers' })
    const daily = (settings: object) => planOf(declared(person('a', settings)), now, false).steps[0]!
    expect(daily({ creditCapPerSync: 50 })).toMatchObject({ dailyCredits: 20, spends: true })
    expect(daily({ creditCapPerSync: null })).toMatchObject({ dailyCredits: 'unlimited', spends: true })
    expect(daily({ mode: 'posts_only', postsPerSync: 60 })).toMatchObject({
      input: { mode: 'posts_only', postsPerSync: 60 },
      dailyCredits: 30,
      spends: true,
    })
  })
  it('asks for a yes wherever the service wants one, though it may cost no more than before', () => {
    const search = (settings = {}) => ({ ...person('a', settings), key: 'search' as const, name: ['a'] })
    const spends = (source: DeclaredSource, row: object) =>
      planOf(declared(source), there(source, row), false).steps.map((step) => [step.dailyCredits, step.spends])
    const engagers = { mode: 'engagers', creditCap: 40, postsPerSync: null, captureEngagers: true }
    const posts = { mode: 'posts_only', creditCap: 40, postsPerSync: 5 }
    expect([
      spends(search({ mode: 'posts_only', postsPerSync: 5 }), engagers),
      spends(search({ mode: 'engagers' }), { ...posts, postsPerSync: 60 }),
      spends(search({ creditCap: 60 }), posts),
      spends(search({ captureEngagers: true }), { ...engagers, captureEngagers: false }),
      spends(person('a', { mode: 'engagers' }), { ...posts, creditCapPerSync: 3 }),
    ]).toEqual(Array(5).fill([[0, true]]))
    expect([
      spends(search({ creditCap: 30, captureEngagers: false }), engagers),
      spends(search({ postsPerSync: 4 }), posts),
      spends(person('a', { mode: 'posts_only', postsPerSync: 5 }), { mode: 'engagers', creditCapPerSync: 5 }),
    ]).toEqual(Array(3).fill([[0, false]]))
  })
  it('lists of ids have no order and may be written as URNs; rules have one', () => {
    expect(isSame(['urn:li:company:1', '2'], ['2', '1'], true)).toBe(true)
    expect(isSame([{ a: 1, b: 2 }, 3], [{ b: 2, a: 1 }, 3], false)).toBe(true)
    expect(isSame([1, 2], [2, 1], false)).toBe(false)
  })
})
