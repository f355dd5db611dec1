/** Forms of an answer: fields, jq, CSV, all pages; and what goes to standard error. */
import { afterEach, describe, expect, it } from 'vitest'
import { les, startStub, type Circumstances, type Outcome, type Reply, type Stub } from './shell.ts'

let stub: Stub | undefined
afterEach(() => stub?.close())

async function answered(reply: Reply, argv: string | readonly string[], more: Circumstances = {}): Promise<Outcome> {
  stub = await startStub(() => reply)
  return les(argv, { url: stub.url, ...more })
}

const lead = (id: string, name: string) => ({
  id,
  name,
  engagementType: 'Like',
  jobTitle: null,
  isIcp: true,
  createdAt: '2026-11-21T00:00:00.000Z',
  linkedinUrl: `https://www.linkedin.com/in/${id}`,
})
const page = { leads: [lead('l1', 'Ann'), lead('l2', 'Bo')], total: 2, limit: 50, offset: 0, hasMore: false }
const secret = { sourceId: 's', webhookUrl: null, signingSecret: 'whsec_c2VjcmV0' }

describe('--json with fields', () => {
  it.each([
    [
      ['leads', 'list', '--json', 'id,name'],
      page,
      [
        { id: 'l1', name: 'Ann' },
        { id: 'l2', name: 'Bo' },
      ],
    ],
    [['leads', 'list', '--json=id'], page, [{ id: 'l1' }, { id: 'l2' }]],
    [['leads', 'list', '--json', 'total,hasMore'], page, { total: 2, hasMore: false }],
    [['credits', 'show', '--json', 'balance'], { balance: 3, used: 1 }, { balance: 3 }],
    [['profile', 'sync', '--json', 'state', 'jane'], { state: 'idle', syncId: null }, { state: 'idle' }],
    [['profile', 'webhook', 'get', 'jane', '--json', 'signingSecret'], secret, { signingSecret: 'whsec_********' }],
  ])('%j gives only those', async (argv, body, expected) => {
    const { code, stdout } = await answered({ body }, argv)
    expect({ code, json: JSON.parse(stdout) as unknown }).toEqual({ code: 0, json: expected })
  })

  it('a word that names no field is an argument of the command', async () => {
    await answered({ body: { state: 'idle' } }, 'profile sync --json jane')
    expect(stub!.received[0]!.path).toBe('/api/v1/profile/jane/sync')
  })

  it('a field there is not is a usage error that lists the fields, and nothing is sent', async () => {
    const outcome = await answered({ body: page }, 'leads list --json nme')
    expect({ code: outcome.code, sent: stub!.received.length }).toEqual({ code: 2, sent: 0 })
    expect(outcome.stderr).toMatch(/there is no nme; the fields are id,name,/)
  })

  it('alone on a terminal it also lists the fields, beside the answer', async () => {
    const { stdout, stderr } = await answered({ body: page }, 'leads list --json', { tty: true })
    expect(JSON.parse(stdout)).toEqual(page)
    expect(stderr).toMatch(/^fields for --json: id,name,engagementType/)
  })
})

describe('--jq', () => {
  it.each([
    ['.leads[].name', 'Ann\nBo\n'],
    ['.total', '2\n'],
    ['[.leads[] | {id}]', '[{"id":"l1"},{"id":"l2"}]\n'],
    ['.leads[] | select(.name == "Nobody")', ''],
  ])('%s gives %j', async (filter, stdout) =>
    expect(await answered({ body: page }, ['leads', 'list', '--jq', filter])).toMatchObject({
      code: 0,
      stdout,
      stderr: '',
    }),
  )

  it('sees the chosen fields, and secrets masked unless asked for', async () => {
    expect((await answered({ body: page }, 'leads list --json id --jq .[0]')).stdout).toBe('{"id":"l1"}\n')
    await stub!.close()
    expect((await answered({ body: secret }, 'profile webhook get jane --jq .signingSecret')).stdout).toBe(
      'whsec_********\n',
    )
    expect((await les('profile webhook get jane --show-secret --jq .signingSecret', { url: stub!.url })).stdout).toBe(
      'whsec_c2VjcmV0\n',
    )
    expect((await les('api GET /profile/jane/webhook --jq .sourceId', { url: stub!.url })).stdout).toBe('s\n')
  })

  it('a filter that does not compile is a usage error before anything is sent; one that fails on the answer ends with 1', async () => {
    const broken = await answered({ body: page }, 'leads list --jq .leads[')
    expect({ code: broken.code, stdout: broken.stdout, sent: stub!.received.length }).toEqual({
      code: 2,
      stdout: '',
      sent: 0,
    })
    const failing = await les(['leads', 'list', '--jq', '.total | keys'], { url: stub!.url })
    expect(failing).toMatchObject({ code: 1, stdout: '' })
    expect(failing.stderr).toContain('les: --jq:')
    expect(failing.stderr).not.toContain('the answer')
  })

  it('one that fails on the answer of a write loses nothing of it: what is shown once goes to standard error', async () => {
    const made = { id: 'k1', name: 'ci', key: 'les_c2VjcmV0' }
    const failing = await answered({ body: made }, ['keys', 'create', '--name', 'ci', '--jq', '.key | keys'])
    expect(failing).toMatchObject({ code: 1, stdout: '' })
    expect(failing.stderr).toMatch(
      /the answer, which the filter did not take: \{.*les_c2VjcmV0.*\}\n(?:.*\n)*les: --jq:/,
    )
  })
})

describe('--csv', () => {
  it('is every plain field of the rows with a head, records ending in CRLF', async () => {
    const { stdout, stderr } = await answered({ body: { ...page, leads: [lead('l1', '=cmd()')] } }, 'leads list --csv')
    const [head, row, end] = stdout.split('\r\n')
    expect(head).toMatch(/^id,name,engagementType,/)
    expect(row).toMatch(/^l1,'=cmd\(\),Like,/)
    expect(row!.split(',')).toHaveLength(head!.split(',').length)
    expect({ end, stderr }).toEqual({ end: '', stderr: '' })
  })

  it('says of somebody who is excluded on which list [EXC-05]', async () => {
    const excluded = { list: 'do_not_contact', entryId: 'e1', reason: null }
    const leads = [{ ...lead('l1', 'Ann'), excluded }, lead('l2', 'Bo')]
    const { stdout } = await answered({ body: { ...page, leads } }, 'leads list --csv')
    const at = stdout.split('\r\n')[0]!.split(',').indexOf('excluded')
    const cells = stdout.split('\r\n').map((line) => line.split(',')[at])
    expect(cells.slice(0, 3)).toEqual(['excluded', 'do_not_contact', ''])
  })

  it('goes with neither --json nor --jq, and only with lists', async () => {
    expect((await answered({ body: page }, 'leads list --csv --json')).code).toBe(2)
    expect((await les('credits show --csv', { url: stub!.url })).code).toBe(2)
    expect(stub!.received).toEqual([])
  })
})

describe('--all', () => {
  const all = Array.from({ length: 250 }, (_, index) => lead(`l${index}`, `N${index}`))
  const pages = async () => {
    stub = await startStub(({ query }) => {
      const [limit, offset] = [Number(query.limit), Number(query.offset)]
      // A new lead between two pages moves the last row of one page to the next.
      const rows = offset === 0 ? all.slice(0, limit) : all.slice(offset - 1, offset - 1 + limit)
      return { body: { leads: rows, total: 251, limit, offset, hasMore: offset + limit < 251 } }
    })
    return stub.url
  }

  it('asks page by page, and gives a row that moved only once', async () => {
    const { code, stdout } = await les('leads list --all --is-icp', { url: await pages() })
    expect(code).toBe(0)
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t').at(-1)),
    ).toEqual(all.map(({ id }) => id))
    expect(stub!.received.map(({ query }) => query)).toEqual(
      [0, 100, 200].map((offset) => ({ isIcp: 'true', limit: '100', offset: String(offset) })),
    )
  })

  it('is one document as JSON and one table as CSV', async () => {
    const { stdout } = await les('leads list --all --limit 60 --offset 60 --json', {
      url: await pages(),
    })
    expect(JSON.parse(stdout)).toMatchObject({ total: 251, offset: 60, hasMore: false })
    expect((JSON.parse(stdout) as { leads: { id: string }[] }).leads.map(({ id }) => id)).toEqual(
      all.slice(59).map(({ id }) => id),
    )
    const csv = (await les('leads list --all --csv', { url: stub!.url })).stdout.trimEnd().split('\r\n')
    expect([csv.length, csv.filter((line) => line.startsWith('id,')).length]).toEqual([251, 1])
  })

  it('a page that is refused ends it with its exit code', async () => {
    stub = await startStub((_, nth) =>
      nth === 1
        ? { body: { leads: [lead('l1', 'Ann')], total: 9, limit: 1, offset: 0, hasMore: true } }
        : { status: 500, body: { error: 'Oh' } },
    )
    expect(await les('leads list --all --limit 1', { url: stub.url })).toMatchObject({
      code: 1,
      stderr: 'les: Oh\n',
    })
  })
})

describe('colours', () => {
  const red = '\u001b[31m'
  it.each([
    ['a terminal', { tty: true, env: { NO_COLOR: '' } }, [], true],
    ['no terminal', { env: { NO_COLOR: '' } }, [], false],
    ['NO_COLOR', { tty: true, env: { NO_COLOR: '1' } }, [], false],
    ['--no-color', { tty: true, env: { NO_COLOR: '' } }, ['--no-color'], false],
    ['TERM=dumb', { tty: true, env: { NO_COLOR: '', TERM: 'dumb' } }, [], false],
    ['FORCE_COLOR without a terminal', { env: { NO_COLOR: '', FORCE_COLOR: '1' } }, [], true],
    ['FORCE_COLOR=0 on a terminal', { tty: true, env: { NO_COLOR: '', FORCE_COLOR: '0' } }, [], false],
    ['NO_COLOR before FORCE_COLOR', { tty: true, env: { NO_COLOR: '1', FORCE_COLOR: '1' } }, [], false],
  ])('%s', async (_, circumstances, flags, colored) => {
    const { stderr } = await answered(
      { status: 404, body: { error: 'No' } },
      ['jobs', 'get', 'x', ...flags],
      circumstances,
    )
    expect(stderr.includes(red)).toBe(colored)
  })
})

describe('what is said beside the data', () => {
  it('--quiet leaves only data and failures', async () => {
    stub = await startStub((_, nth) => (nth === 1 ? { status: 429, body: { error: 'Slow' } } : { body: page }))
    expect(await les('leads list --quiet', { url: stub.url, tty: true })).toMatchObject({ code: 0, stderr: '' })
    expect((await les('jobs get', { url: stub.url })).stderr).not.toBe('')
  })

  it('--debug tells requests and answers, without keys and secrets', async () => {
    const { stdout, stderr } = await answered(
      { body: { ...secret, key: 'cs_plaintext' }, headers: { 'x-request-id': 'r-1' } },
      ['profile', 'webhook', 'set', 'jane', '--webhook-url', 'https://h.example.com', '--debug', '--json'],
    )
    expect(stderr).toContain(`> PUT ${stub!.url}/api/v1/profile/jane/webhook\n`)
    expect(stderr).toContain('> x-api-key: ********\n')
    expect(stderr).toContain('> {"webhookUrl":"https://h.example.com"}\n')
    expect(stderr).toContain('< 200 in 0 ms\n')
    expect(stderr).toContain('< x-request-id: r-1\n')
    for (const hidden of ['test-key', 'c2VjcmV0', 'cs_plaintext']) expect(stderr).not.toContain(hidden)
    expect(stdout).toContain('whsec_********')
  })
})
