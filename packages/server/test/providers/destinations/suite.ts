/** What every destination has in common, over HTTP against its twin: one record per person, and each kind of trouble. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  DestinationFailure,
  type DestinationAdapter,
  type LeadDocument,
  type RecordOutcome,
} from '../../../src/providers/destinations/index.ts'
import {
  answeringAll,
  connect,
  documentOf,
  failureOf,
  hostileTexts,
  openStage,
  outcomeFor,
  partsOf,
  recordOf,
  recordsOf,
  type Stage,
} from './stage.ts'

/** What the suite must know about a kind. */
export type SuiteKind = {
  readonly adapter: DestinationAdapter
  readonly baseUrl: (stage: Stage) => string
  /** Settings, or a function of the address for kinds that have it in their settings. */
  readonly settings: object | ((baseUrl: string) => object)
  readonly credentials: (key: string) => object
  /** The texts of the twin's records of people, as they arrived. */
  readonly people: (stage: Stage, key: string) => readonly string[]
  readonly write: { readonly vendor: string; readonly operation: string; readonly match?: Record<string, string> }
  /** Makes a document that the platform refuses, and the field it names; null if it accepts anything. */
  readonly bad: ((document: LeadDocument) => LeadDocument) | null
  readonly badField: string | null
  /** Part of a token without a scope, and the missing scope; null for kinds without scopes. */
  readonly lacking: { readonly key: string; readonly scope: string } | null
  /** Removes what deliveries need (a field, a sheet). */
  readonly breakSetup: ((stage: Stage, key: string) => void) | null
  /** The platform has a daily quota of calls that can be used up. */
  readonly hasQuota: boolean
  /** What delivering a changed document does to the record (default: updated). */
  readonly onChange?: 'updated' | 'added' | 'kept'
  /** Its answers to writes are JSON (default: true). */
  readonly answersJson?: boolean
  /** Fails if a stranger's text has become more than text there. */
  readonly expectInert: (stage: Stage, key: string) => void
}

/** Runs the suite for one kind. */
export function describeDestination(kind: SuiteKind): void {
  const { adapter } = kind
  const documents = [documentOf('one'), documentOf('two')]
  let stage: Stage
  let turn = 0
  /** A new account for every test. */
  const newKey = (part = ''): string => `tok-${part}${adapter.kind}-${(turn += 1)}`
  const settingsAt = (baseUrl = kind.baseUrl(stage)): object =>
    typeof kind.settings === 'function' ? (kind.settings as (at: string) => object)(baseUrl) : kind.settings
  const at = (key: string, baseUrl?: string) =>
    connect(adapter, { settings: settingsAt(baseUrl), credentials: kind.credentials(key) })
  const parts = () => partsOf(stage, kind.baseUrl(stage))
  const ready = async (): Promise<string> => {
    const key = newKey()
    stage.move(1)
    await adapter.prepare(parts(), at(key))
    return key
  }
  const deliver = (key: string, given: readonly LeadDocument[] = documents, known: readonly RecordOutcome[] = []) => {
    // Each delivery in a new rate window.
    stage.move(2)
    return adapter.deliver(parts(), at(key), recordsOf(given, known))
  }

  beforeAll(async () => {
    stage = await openStage()
  })
  afterEach(() => stage.sandbox.world.reset())
  afterAll(() => stage.close())

  describe(`${adapter.kind}: what every destination does`, () => {
    test('people are written once; again, and after a change, the same records are written [DST-07]', async () => {
      const key = await ready()
      const first = await deliver(key)
      expect(first.map(({ state }) => state)).toEqual(['written', 'written'])
      await deliver(key, documents, first)
      const again = await deliver(key, [documentOf('one', { jobTitle: 'Chief Counting Officer' })], first)
      expect(outcomeFor(again, 'one')).toMatchObject({ state: 'written', remote: { id: expect.any(String) } })
      if (adapter.limits.per === 'lead') return
      const { onChange = 'updated' } = kind
      expect(kind.people(stage, key)).toHaveLength(onChange === 'added' ? 3 : 2)
      expect(kind.people(stage, key).join().includes('Chief Counting Officer')).toBe(onChange !== 'kept')
    })

    test('preparing again does nothing, and what was delivered is found [DST-07]', async () => {
      const key = await ready()
      await adapter.prepare(parts(), at(key))
      const [one] = await deliver(key)
      const found = await adapter.find(parts(), at(key), [...documents.map(({ personKey }) => personKey), 'nobody'])
      if (found === null) return
      expect([...found.keys()].sort()).toEqual(['one', 'two'])
      expect(one).toMatchObject({ remote: { id: found.get('one')!.id } })
    })

    test.runIf(kind.bad)('one bad record is refused with its field; the others are delivered [DST-08]', async () => {
      const key = await ready()
      const outcomes = await deliver(key, [documents[0]!, kind.bad!(documentOf('bad')), documents[1]!])
      expect(['one', 'bad', 'two'].map((id) => outcomeFor(outcomes, id).state)).toEqual([
        'written',
        'refused',
        'written',
      ])
      expect(outcomeFor(outcomes, 'bad')).toMatchObject({ field: kind.badField, message: expect.stringMatching(/\w/) })
    })

    const lostBy = [
      'lost_reply',
      'huge_body',
      ...(kind.answersJson === false ? [] : (['truncated_json'] as const)),
    ] as const
    test.each(lostBy)(
      'an answer that is lost (%s) leaves it open; the person is found and written no second time [DST-07]',
      async (fault) => {
        const key = await ready()
        stage.sandbox.world.fault({
          kind: fault,
          times: 1,
          ...kind.write,
          ...(fault === 'huge_body' ? { bytes: 10_000_000 } : {}),
        })
        expect(outcomeFor(await deliver(key, [documents[0]!]), 'one')).toMatchObject({ state: 'unknown' })
        const found = await adapter.find(parts(), at(key), ['one'])
        if (fault === 'lost_reply' && found) expect([...found.keys()]).toEqual(['one'])
        if (found === null && !adapter.isRepeatable) return
        if (!found?.has('one') || adapter.limits.per === 'person') await deliver(key, [documents[0]!])
        expect(kind.people(stage, key)).toHaveLength(1)
      },
    )

    test('a connection that is cut before anything is done leaves it open; nobody is found [DST-07]', async () => {
      const key = await ready()
      stage.sandbox.world.fault({ kind: 'reset', times: 1, ...kind.write })
      expect(outcomeFor(await deliver(key, [documents[0]!]), 'one')).toMatchObject({ state: 'unknown' })
      expect((await adapter.find(parts(), at(key), ['one']))?.size ?? 0).toBe(0)
      expect(kind.people(stage, key)).toEqual([])
    })

    const nobody = 'http://127.0.0.1:9'
    test('a platform that cannot be reached gets nothing, and is asked later [DST-09]', async () => {
      const outcomes = await adapter.deliver(
        partsOf(stage, nobody),
        at(newKey(), nobody),
        documents.map((document) => recordOf(document)),
      )
      expect(outcomes.map((outcome) => [outcome.state, 'trouble' in outcome && outcome.trouble])).toEqual([
        ['later', 'unavailable'],
        ['later', 'unavailable'],
      ])
    })

    test.each([
      ['in seconds', { retryAfterS: 7 }, 7],
      ['as a date', { retryAfterS: 90, retryAs: 'date' }, 90],
      ['not at all', {}, null],
    ] as const)(
      'too many calls, and the wait said %s: later, at that instant [DST-09]',
      async (_how, fault, seconds) => {
        const key = await ready()
        stage.sandbox.world.fault({ kind: 'status_429', ...fault, ...kind.write })
        const outcomes = await deliver(key)
        const at = seconds === null ? null : new Date(stage.now().getTime() + seconds * 1_000)
        for (const outcome of outcomes) expect(outcome).toMatchObject({ state: 'later', trouble: 'rate', at })
        expect(kind.people(stage, key)).toEqual([])
      },
    )

    test.runIf(kind.hasQuota)('the calls of a day are used up: later than now, as a quota [DST-09]', async () => {
      const key = await ready()
      stage.sandbox.world.fault({ kind: 'quota', ...kind.write })
      const outcome = outcomeFor(await deliver(key), 'one')
      expect(outcome).toMatchObject({ state: 'later', trouble: 'quota_day', at: expect.any(Date) })
      expect(outcome.state === 'later' && outcome.at!.getTime()).toBeGreaterThan(stage.now().getTime())
    })

    test.each([
      ['a page with 502', { kind: 'html_502' }],
      ['500', { kind: 'status_500' }],
      ['503', { kind: 'status_503' }],
    ] as const)('%s: later, as out of order [DST-09]', async (_name, fault) => {
      const key = await ready()
      stage.sandbox.world.fault({ ...fault, ...kind.write })
      for (const outcome of await deliver(key))
        expect(outcome).toMatchObject({ state: 'later', trouble: 'unavailable' })
    })

    test('refused credentials are seen by the check, and by a delivery on its way [DST-09]', async () => {
      expect(await failureOf(adapter.check(parts(), at(newKey('revoked-'))))).toMatchObject({ trouble: 'auth_revoked' })
      const key = await ready()
      stage.sandbox.world.fault({ kind: 'status', status: 401, ...kind.write })
      for (const outcome of await deliver(key))
        expect(outcome).toMatchObject({ state: 'later', trouble: 'auth_revoked' })
    })

    test.runIf(kind.lacking)('a missing scope is named by the check, and stops a delivery [DST-01]', async () => {
      const { key, scope } = kind.lacking!
      const lacking = newKey(`${key}-`)
      expect((await adapter.check(parts(), at(lacking))).missing).toContain(scope)
      for (const outcome of await deliver(lacking))
        expect(outcome).toMatchObject({ state: 'later', trouble: 'scope_missing' })
    })

    test('the check of good credentials says whose they are, and misses nothing [DST-03]', async () => {
      expect(await adapter.check(parts(), at(newKey()))).toMatchObject({
        account: expect.stringMatching(/\w/),
        missing: [],
      })
    })

    test.runIf(kind.breakSetup)('what was set up is gone: everything waits for it [DST-09]', async () => {
      const key = await ready()
      kind.breakSetup!(stage, key)
      for (const outcome of await deliver(key))
        expect(outcome).toMatchObject({ state: 'later', trouble: 'setup_missing' })
    })

    test('texts of strangers arrive as texts [DST-10, DST-11, DST-12]', async () => {
      const key = await ready()
      for (const [index, text] of hostileTexts.entries()) {
        const personKey = `stranger-${index}`
        const engagement = {
          ...documents[0]!.engagements[0]!,
          key: `${personKey}-e`,
          commentText: text,
          sourceLabel: text,
        }
        const more = {
          name: text,
          firstName: text,
          headline: text,
          jobTitle: text,
          commentText: text,
          why: text,
          engagements: [engagement],
        }
        expect(outcomeFor(await deliver(key, [documentOf(personKey, more)]), personKey).state).toBe('written')
      }
      kind.expectInert(stage, key)
    })

    test('a sample is marked as one [DST-03]', async () => {
      const key = await ready()
      const [outcome] = await adapter.deliver(parts(), at(key), [{ ...recordOf(documents[0]!), isSample: true }])
      expect(outcome).toMatchObject({ state: 'written' })
      expect(kind.people(stage, key).join()).toMatch(/sample/i)
    })
  })

  describe(`${adapter.kind}: answers that are not what they should be`, () => {
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`
    const secret = newKey('secret-')
    const bodies = [
      '',
      'null',
      '[]',
      '{}',
      '0',
      '"ok"',
      '{"results":{"length":1e9},"errors":"none","data":7,"records":null}',
      '{"results":[null,7,{"id":{}},{"id":"1","properties":[]}],"errors":[{"context":"x","message":{}}],"message":["a"],"error":{"code":[]}}',
      '[{"id":7,"success":"yes","errors":{}},{"success":true}]',
      '{"data":{"id":{"record_id":7},"values":null},"properties":7,"values":{"a":1}}',
      '{"access_token":{},"instance_url":7}',
      `{"message":"${'x'.repeat(300_000)}"}`,
      `{"message":"bad token ${secret}","error":"${secret}","errors":[{"message":"${secret}","context":{"propertyName":["${secret}"]}}]}`,
      deep,
      '{"results":[{"id":"1"',
      '<html><title>Sorry</title>',
      '\u0000\ufffd',
    ]
    test.each([200, 207, 204, 302, 400, 403, 404, 409, 422, 500])(
      'of status %i never become anything but an outcome or a failure',
      async (status) => {
        for (const body of bodies) {
          const hostile = partsOf(stage, kind.baseUrl(stage), answeringAll(status, body))
          const connection = at(secret)
          const said: string[] = []
          const settle = async (work: Promise<unknown>) => {
            const value = await work.catch((error: unknown) => {
              if (!(error instanceof DestinationFailure)) throw error
              said.push(error.message)
              expect(error.message.length).toBeLessThan(600)
            })
            said.push(JSON.stringify(value) ?? '')
          }
          const outcomes = await adapter.deliver(
            hostile,
            connection,
            documents.map((document) => recordOf(document)),
          )
          expect(outcomes.map(({ id }) => id).sort()).toEqual(['one', 'two'])
          said.push(JSON.stringify(outcomes))
          await settle(adapter.check(hostile, connection))
          await settle(adapter.prepare(hostile, connection))
          await settle(adapter.fields(hostile, connection))
          await settle(adapter.find(hostile, connection, ['one', 'two']))
          expect(said.join()).not.toContain(secret)
        }
      },
    )
  })

  describe(`${adapter.kind}: settings and credentials`, () => {
    test('what is not known there is refused, with its name [DST-01]', () => {
      const settings = adapter.settings.safeParse({ ...settingsAt(), colour: 'red' })
      const credentials = adapter.credentials.safeParse({ ...kind.credentials(newKey()), colour: 'red' })
      expect([settings.success, credentials.success]).toEqual([false, false])
      for (const { error } of [settings, credentials]) expect(error?.message).toContain('colour')
      expect(adapter.credentials.safeParse({}).success).toBe(false)
    })

    test('of credentials four characters are shown at most [DST-01]', () => {
      expect(adapter.hint(adapter.credentials.parse(kind.credentials(newKey())))).toHaveLength(4)
    })

    test('the same document maps to the same bytes, another fact to others [DST-06]', () => {
      const connection = at(newKey())
      const bytes = (document: LeadDocument) => JSON.stringify(adapter.map(connection, document))
      expect(bytes(documentOf('one'))).toBe(bytes(documentOf('one')))
      expect(bytes(documentOf('one', { jobTitle: 'CFO' }))).not.toBe(bytes(documentOf('one')))
    })
  })
}
