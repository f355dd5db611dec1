/** Commands that spend or rewrite show figures first and need a confirmation that somebody really gave. */
import { afterEach, describe, expect, it } from 'vitest'
import { les, startStub, type Stub } from './shell.ts'

let stub: Stub | undefined
afterEach(() => stub?.close())

const refusal = {
  error: 'This creates or raises a charge: send the same request with confirmSpend: true to go ahead',
  code: 'spend_confirmation_required',
  estimatedDailyMax: 10,
  daysToExhaustAtCap: 0,
  remainingBalance: 7,
  creditCapPerSync: null,
}
const conflict = {
  error: 'This search exists',
  code: 'settings_conflict',
  previous: {},
  settings: {},
  changed: [{ field: 'sort', from: 'RELEVANCE', to: 'DATE_POSTED' }],
}
const track = 'enrich profile --username jane --save-tracked-profile --mode posts_only --posts-per-sync 10'.split(' ')
const search = ['keyword', 'track', '--keywords', 'a']

type Body = { confirmSpend?: boolean; confirmChanges?: boolean }

async function service(
  needs: { readonly changes?: boolean; readonly spend?: boolean } = { spend: true },
): Promise<string> {
  stub = await startStub(({ body, query }) => {
    const given = { ...(body as Body | undefined), ...(query.confirmSpend === 'true' ? { confirmSpend: true } : {}) }
    if (needs.changes && given.confirmChanges !== true) return { status: 409, body: conflict }
    if (needs.spend && given.confirmSpend !== true) return { status: 409, body: refusal }
    return { body: { jobId: 'j' } }
  })
  return stub.url
}

const bodies = () => stub!.received.map(({ body }) => body as Body)

describe('a charge at a terminal', () => {
  it('is shown as a table, asked about, and after a yes the same request goes again with confirmSpend', async () => {
    const asked: string[] = []
    const outcome = await les([...track, '--idempotency-key', 'once'], {
      url: await service(),
      tty: true,
      answers: [true],
      asked,
    })
    expect(outcome.code).toBe(0)
    expect(asked).toEqual(['This costs credits. Go ahead?'])
    expect(outcome.stderr).toMatch(/credits a day at most +10\n/)
    expect(outcome.stderr).toMatch(/days until the balance is used up +0\n/)
    expect(outcome.stderr).toMatch(/credits left now +7\n/)
    expect(outcome.stderr).toMatch(/credit cap per sync +no limit\n/)
    const [first, second] = bodies()
    expect(second).toEqual({ ...first, confirmSpend: true })
    expect(stub!.received.map(({ headers }) => headers['idempotency-key'])).toEqual(['once', 'once'])
  })

  it.each([
    [false, 3],
    [undefined, 130],
  ])('answered with %j is not made, and ends with %i', async (answer, code) => {
    const outcome = await les(track, { url: await service(), tty: true, answers: [answer] })
    expect(outcome).toMatchObject({ code, stdout: '' })
    expect(bodies()).toHaveLength(1)
  })

  it('of a read is asked about too', async () => {
    expect(
      (
        await les('profile posts get jane --posts 5', {
          url: await service(),
          tty: true,
          answers: [true],
        })
      ).code,
    ).toBe(0)
    expect(stub!.received.map(({ query }) => query.confirmSpend)).toEqual([undefined, 'true'])
  })

  it('is never confirmed by --yes alone', async () => {
    const asked: string[] = []
    const outcome = await les([...track, '--yes'], { url: await service(), tty: true, answers: [false], asked })
    expect({ code: outcome.code, asked: asked.length, sent: bodies().length }).toEqual({ code: 3, asked: 1, sent: 1 })
  })
})

describe('a charge without anybody to ask', () => {
  it.each([
    ['no terminal', {}, []],
    ['no terminal, --yes', {}, ['--yes']],
    ['--no-input', { tty: true }, ['--no-input']],
    ['standard input is a pipe', { tty: true, stdin: '' }, []],
  ])('%s: the refusal is on standard output, exit code 3', async (_, circumstances, flags) => {
    const outcome = await les([...track, ...flags], { url: await service(), ...circumstances })
    expect({ code: outcome.code, json: JSON.parse(outcome.stdout) as unknown, sent: bodies().length }).toEqual({
      code: 3,
      json: refusal,
      sent: 1,
    })
    expect(outcome.stderr).toContain('--confirm-spend')
  })
})

describe('settings that would be rewritten', () => {
  it('are shown and asked about, and then the charge is', async () => {
    const asked: string[] = []
    const outcome = await les(search, {
      url: await service({ changes: true, spend: true }),
      tty: true,
      answers: [true, true],
      asked,
    })
    expect({ code: outcome.code, asked }).toEqual({
      code: 0,
      asked: ['Rewrite these settings?', 'This costs credits. Go ahead?'],
    })
    expect(outcome.stderr).toMatch(/sort +"RELEVANCE" -> "DATE_POSTED"\n/)
    expect(bodies().at(-1)).toMatchObject({ confirmChanges: true, confirmSpend: true })
  })
  it('need only --yes, for that costs nothing', async () => {
    expect((await les([...search, '--yes'], { url: await service({ changes: true }) })).code).toBe(0)
    await stub!.close()
    expect((await les(search, { url: await service({ changes: true }) })).code).toBe(1)
  })
})

describe('taking away', () => {
  it('is asked about at a terminal, and not with --yes, --no-input or in a script', async () => {
    stub = await startStub(() => ({ body: { ok: true } }))
    const remove = ['profile', 'untrack', 'jane']
    const at = { url: stub.url, tty: true }
    expect(await les(remove, { ...at, answers: [false] })).toMatchObject({ code: 1, stdout: '' })
    expect(stub.received).toHaveLength(0)
    const outcomes = [
      await les(remove, { ...at, answers: [true] }),
      await les([...remove, '--yes'], at),
      await les([...remove, '--no-input'], at),
      await les(remove, { url: stub.url }),
    ]
    expect([outcomes.map(({ code }) => code), stub.received.length]).toEqual([[0, 0, 0, 0], 4])
  })
})
