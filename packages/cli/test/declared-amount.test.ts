/** Files with more sources than a minute's reads: nothing is left out or done twice. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { bounds } from '@les/contract'
import { les, startStub, type ReceivedRequest, type Stub } from './shell.ts'

type Row = Record<string, unknown> & { readonly id: string; readonly username: string }

/** A service with this many tracked people, each with a webhook, that enforces the rate per minute. */
async function service(people: number): Promise<Stub & { readonly rows: Row[]; nextMinute(): void }> {
  const rows: Row[] = []
  const hooks = new Map<string, unknown>()
  const add = (username: string, settings: object) => {
    const id = `00000000-0000-7000-8000-${String(rows.length).padStart(12, '0')}`
    rows.push({ id, sourceId: id, type: 'person', username, status: 'active', mode: 'engagers', ...settings })
    return id
  }
  for (let nth = 0; nth < people; nth++)
    hooks.set(add(`person-${nth}`, { creditCapPerSync: 10 + nth }), `https://hooks.example/${nth}`)
  const whole = (): Record<'GET' | 'write', number> => ({ GET: bounds.readsPerMinute, write: bounds.writesPerMinute })
  let left = whole()
  const stub = await startStub(({ method, path, body }: ReceivedRequest) => {
    const kind = method === 'GET' ? 'GET' : 'write'
    if (left[kind] === 0)
      return { status: 429, body: { error: 'Too fast', requestId: 'r' }, headers: { 'retry-after': '60' } }
    left[kind]--
    const [, , , noun, id = '', section] = path.split('/')
    const sent = body as Record<string, unknown>
    if (noun === 'enrich') {
      const { username, saveTrackedProfile: _tracked, confirmSpend: _yes, ...settings } = sent
      add(String(username), settings)
      return { body: { jobId: 'j', syncId: null } }
    }
    if (noun === 'credits') return { body: { balance: 5_000 } }
    if (noun === 'agent') return { body: { agent: null } }
    if (noun === 'exclusions') return { body: { entries: [], total: 0, limit: 100, offset: 0, hasMore: false } }
    if (section === undefined) return { body: { sources: [...rows].reverse(), total: rows.length } }
    if (section === 'webhook' && kind === 'write') hooks.set(id, sent.webhookUrl)
    if (section === 'webhook')
      return { body: { webhookUrl: hooks.get(id) ?? null, autoSend: true, icpOnly: false, syncEvents: false } }
    return { body: section === 'icp' ? { rules: [], matchMode: 'all' } : { outreach: null } }
  })
  const nextMinute = () => void (left = whole())
  return { ...stub, rows, nextMinute }
}

const folder = mkdtempSync(join(tmpdir(), 'les-many-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('a file of 130 sources makes another service the same, waiting as often as it is asked to', async () => {
  const [one, other] = [await service(130), await service(0)]
  try {
    const config = (at: typeof one, ...words: string[]) =>
      les(['config', ...words, '--file', join(folder, 'many.yaml')], { url: at.url, onPause: () => at.nextMinute() })
    const pulled = await config(one, 'pull')
    expect([pulled.code, pulled.pausesMs.length > 2]).toEqual([0, true])
    expect((await config(one, 'plan')).stdout).toMatch(/^Nothing to do\./)
    const applied = await config(other, 'apply', '--confirm-spend')
    expect(applied.stderr).toContain('Done: 260, and nothing differs.')
    const bare = ({ username, creditCapPerSync }: Row) => `${username} ${String(creditCapPerSync)}`
    expect(other.rows.map(bare).sort()).toEqual(one.rows.map(bare).sort())
    expect((await config(other, 'plan')).stdout).toMatch(/^Nothing to do\./)
  } finally {
    await Promise.all([one.close(), other.close()])
  }
})
