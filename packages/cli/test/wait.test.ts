/** `--wait`: until the end, a failure, the time limit, or Ctrl-C. */
import { afterEach, describe, expect, it } from 'vitest'
import { les, startStub, type ReceivedRequest, type Reply, type Stub } from './shell.ts'

let stub: Stub | undefined
afterEach(() => stub?.close())

const jobId = '0198c3f0-5a5e-7b60-8f3e-000000000001'
const sourceId = '0198c3f0-5a5e-7b60-8f3e-000000000002'
const job = (status: string, more = {}) => ({ jobId, type: 'enrich_profile', status, ...more })
const down = { error: 'Starting' }
const sync = (state: string, leadsCaptured = 0, more = {}) => ({
  syncId: jobId,
  state,
  isFinal: ['completed', 'failed', 'untracked'].includes(state),
  progress: { postsTotal: 10, postsProcessed: 5, leadsCaptured, leadsTotal: leadsCaptured, leadsEnriched: 1 },
  capture: { stoppedBy: null, creditsSpent: leadsCaptured, leadRowsCaptured: null, coverage: null },
  enrichment: { pending: 1, completed: 1, failed: 0, skipped: 0 },
  ...more,
})

async function play(
  first: object,
  jobs: readonly object[],
  syncs: readonly object[],
  headers: Readonly<Record<string, string>> = {},
): Promise<Stub> {
  const next = { jobs: 0, syncs: 0 }
  stub = await startStub(({ method, path }: ReceivedRequest): Reply => {
    if (method === 'POST') return { body: first }
    const [list, key] = path.endsWith('/status') ? ([jobs, 'jobs'] as const) : ([syncs, 'syncs'] as const)
    const body = list[Math.min(next[key]++, list.length - 1)]!
    return body === down ? { status: 503, body } : { body, headers }
  })
  return stub
}

const paths = () => stub!.received.map(({ method, path }) => `${method} ${path.replace('/api/v1', '')}`)
const track = ['enrich', 'profile', '--username', 'jane', '--save-tracked-profile', '--wait']

describe('--wait', () => {
  it('follows the job, then the sync until it is final, and prints the last status', async () => {
    const done = sync('completed', 9)
    const { url } = await play(
      { jobId, syncId: jobId },
      [job('pending'), job('completed')],
      [sync('queued'), sync('capturing', 4), sync('enriching', 9), done],
    )
    expect(await les([...track, '--json'], { url })).toEqual({
      code: 0,
      stdout: `${JSON.stringify(done)}\n`,
      stderr: `waiting for job ${jobId}\n`,
      pausesMs: [1000, 1000, 2000, 4000],
    })
    expect(paths()).toEqual([
      'POST /enrich/profile',
      ...Array<string>(2).fill(`GET /jobs/${jobId}/status`),
      ...Array<string>(4).fill('GET /profile/jane/sync'),
    ])
  })

  it('ends with the job when no sync was queued, and prints it', async () => {
    const { url } = await play(
      { jobId, syncId: null, syncNotQueuedReason: 'later' },
      [job('completed', { result: { creditsCharged: 0 } })],
      [],
    )
    expect(await les(track, { url })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('result.creditsCharged\t0\n') as string,
    })
    expect(paths()).toHaveLength(2)
  })

  it('pauses 1, 2, 4, 8, then 10 s, longer when Retry-After says so', async () => {
    const jobs = [...Array<object>(6).fill(job('running')), job('completed')]
    await play({ jobId }, jobs, [])
    expect((await les('enrich company --username acme --wait', { url: stub!.url })).pausesMs).toEqual([
      1000, 2000, 4000, 8000, 10000, 10000,
    ])
    await stub!.close()
    await play({ jobId }, [job('running'), job('running'), job('completed')], [], { 'retry-after': '3' })
    expect((await les('enrich company --username acme --wait', { url: stub!.url })).pausesMs).toEqual([3000, 3000])
  })

  it.each([
    ['failed', 'the sync failed: The network did not answer'],
    ['untracked', 'the source was untracked while it synced'],
  ])('ends with 8 when the sync ends %s', async (state, message) => {
    const { url } = await play(
      { jobId, syncId: jobId },
      [job('completed')],
      [sync(state, 0, { error: 'The network did not answer' })],
    )
    expect(await les(track, { url })).toMatchObject({ code: 8, stderr: `waiting for job ${jobId}\nles: ${message}\n` })
  })

  it('ends with 8 when the time is up, and says how to go on', async () => {
    const { url } = await play({ jobId }, [job('running')], [])
    const outcome = await les('enrich profile --username jane --wait --timeout 5 --json', {
      url,
    })
    expect(outcome).toMatchObject({ code: 8, pausesMs: [1000, 2000], stdout: `${JSON.stringify({ jobId })}\n` })
    expect(outcome.stderr).toContain(`les jobs get ${jobId}`)
  })

  it('Ctrl-C stops waiting, not the work, and says how to go on', async () => {
    const { url } = await play({ jobId, syncId: jobId }, [job('completed')], [sync('capturing', 4)])
    const outcome = await les(track, { url, onPause: (interrupt, nth) => nth === 2 && interrupt() })
    expect(outcome.code).toBe(130)
    expect(outcome.stderr).toContain('the work goes on: see les profile sync jane')
    expect(paths().filter((path) => !path.startsWith('GET'))).toEqual(['POST /enrich/profile'])
  })

  it('bears four failed polls in a row, not five', async () => {
    await play({ jobId }, [down, down, down, down, job('completed')], [])
    expect((await les('enrich profile --username jane --wait', { url: stub!.url })).code).toBe(0)
    await stub!.close()
    await play({ jobId }, [down], [])
    expect(await les('enrich profile --username jane --wait', { url: stub!.url })).toMatchObject({
      code: 1,
      stdout: `jobId\t${jobId}\n`,
    })
  })

  it('also follows a push, a Discover run, and an agent to the end of its first run', async () => {
    const plays = [
      [
        ['profile', 'push', 'jane'],
        { pushId: 'p' },
        [
          { pushId: 'p', finished: false, counts: {}, total: 2 },
          { pushId: 'p', finished: true },
        ],
        '/push/p',
      ],
      [
        ['discover', 'start', '--keywords', 'a'],
        { id: 'd', state: 'running' },
        [
          { id: 'd', state: 'running', found: 1, maxInfluencers: 9 },
          { id: 'd', state: 'done' },
        ],
        '/discover/d',
      ],
      [
        ['agent', 'start'],
        { agent: { id: 'a' }, launch: {} },
        [
          { agentId: 'a', leads: [], checked: 3, firstRun: { done: false, sourcesDone: 1, sourcesTotal: 2 } },
          { agentId: 'a', leads: [], firstRun: { done: true } },
        ],
        '/agent/leads',
      ],
    ] as const
    for (const [argv, first, reads, path] of plays) {
      let nth = 0
      stub = await startStub(({ method }) => ({ body: method === 'POST' ? first : reads[Math.min(nth++, 1)]! }))
      const outcome = await les([...argv, '--wait', '--json'], { url: stub.url, tty: true, stdin: '' })
      expect([argv, outcome.code, JSON.parse(outcome.stdout), outcome.pausesMs]).toEqual([argv, 0, reads[1], [1000]])
      expect(paths().slice(1)).toEqual([`GET ${path}`, `GET ${path}`])
      expect(outcome.stderr).toMatch(/\[[#-]{20}\]/)
      await stub.close()
    }
  })

  it('a failed Discover run ends with 8', async () => {
    stub = await startStub(() => ({
      body: { id: 'd', state: 'failed', error: { code: 'provider_error', error: 'The network did not answer' } },
    }))
    expect(await les('discover get d --wait', { url: stub.url })).toMatchObject({
      code: 8,
      stderr: 'les: the search failed: The network did not answer\n',
    })
  })

  it('of a read asks again until what it tells of is done, and once when it is done already', async () => {
    await play({}, [job('running'), job('completed')], [])
    expect(await les(['jobs', 'get', jobId, '--wait', '--json', 'status'], { url: stub!.url })).toMatchObject({
      code: 0,
      stdout: '{"status":"completed"}\n',
      pausesMs: [],
    })
    await stub!.close()
    await play({}, [], [sync('completed', 2)])
    expect((await les(['sources', 'status', sourceId, '--wait'], { url: stub!.url })).pausesMs).toEqual([])
    expect(paths()).toEqual([`GET /sources/${sourceId}/sync`])
  })

  it('draws its progress on a terminal and wipes it at the end', async () => {
    const { url } = await play(
      { jobId, syncId: jobId },
      [job('completed')],
      [sync('capturing', 4), sync('enriching', 9), sync('completed', 9)],
    )
    const { stderr } = await les(track, { url, tty: true })
    expect(stderr).toContain('capturing  [##########----------] 4 captured · 1 enriched · 4 credits')
    expect(stderr).toContain('enriching  [##########----------] 9 captured · 1 enriched · 9 credits')
    expect(stderr.endsWith('\r\u001b[K')).toBe(true)
  })
})
