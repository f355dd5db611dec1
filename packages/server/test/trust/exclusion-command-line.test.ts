/** Exclusions from the command line, a CSV file and a settings file (EXC-11, EXC-12). */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { les, type Outcome } from '../../../cli/test/shell.ts'
import { capture, ok } from '../scenarios/outreach-stage.ts'
import { useWorld, drainOnlyUnlessLongRun, type Team } from '../world/world.ts'
import { entryOf, exclude } from './exclusions-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'les-exclusions-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const run = (team: Team, ...words: string[]): Promise<Outcome> =>
  les(words, { url: world.url, env: { LES_API_KEY: team.apiKey } })
const file = (name: string, content: string | Buffer): string => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}
const listed = async (team: Team, query = '?limit=100') =>
  (await ok(team.get(`/exclusions${query}`))).entries.map(
    ({ kind, value, list, reason, origin }: Record<string, string | null>) => [kind, value, list, reason, origin],
  )

/** A proxy to the service that breaks for good after a request, as if the program were killed then. */
async function openDoor(breaksAfter: (method: string, body: string) => boolean) {
  const paths: string[] = []
  let isBroken = false
  const server = createServer((request, response) => {
    void (async () => {
      const body = Buffer.concat(await request.toArray())
      if (isBroken) return request.socket.destroy()
      const { method = 'GET', url = '' } = request
      paths.push(`${method} ${url.split('?')[0]}`)
      const key = request.headers['x-api-key'] as string
      const answer = await fetch(`${world.url}${url}`, {
        method,
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        ...(body.length > 0 ? { body } : {}),
      })
      isBroken = breaksAfter(method, body.toString())
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close, paths }
}

describe('the command line', () => {
  it('adds, tries, lists and removes entries [EXC-11]', async () => {
    const team = await world.team()
    await capture(world, team, [{ title: 'Intern' }, { title: 'CTO' }])
    const tried = await run(team, 'exclusions', 'add', 'title', 'intern', '--dry-run', '--json')
    expect([tried.code, JSON.parse(tried.stdout).counts]).toEqual([0, { matching: 1, notMatching: 1 }])
    expect(await listed(team)).toEqual([])
    const words = ['exclusions', 'add', 'domain', 'www.acme.com', '--list', 'customers', '--reason', 'Since 2024']
    expect((await run(team, ...words)).code).toBe(0)
    expect((await run(team, 'exclusions', 'add', 'title', 'intern')).code).toBe(0)
    expect(await listed(team)).toEqual([
      ['title', 'intern', 'do_not_contact', null, 'api'],
      ['domain', 'acme.com', 'customers', 'Since 2024', 'api'],
    ])
    const list = await run(team, 'exclusions', 'list', '--list', 'customers', '--json', 'id,value')
    const [{ id, value }] = JSON.parse(list.stdout)
    expect([list.code, value]).toEqual([0, 'acme.com'])
    expect((await run(team, 'exclusions', 'remove', id)).code).toBe(0)
    expect((await run(team, 'exclusions', 'remove', id)).code).toBe(5)
    expect((await run(team, 'exclusions', 'add', 'domain', 'nonsense')).code).toBe(1)
    expect(await listed(team)).toHaveLength(1)
  })

  it.each([
    ['a header and commas', 'kind,value,reason\r\nDomain,acme.com,"Customer, since 2024"\r\nperson,@Jane-Doe,\r\n'],
    ['no header', 'domain,acme.com,"Customer, since 2024"\nperson,@Jane-Doe'],
    [
      'a byte order mark, semicolons and other columns',
      '\uFEFFname;reason;value;kind\nx;Customer, since 2024;acme.com;domain\n;;jane-doe;person\n',
    ],
    [
      'UTF-16',
      Buffer.from('\uFEFFkind\tvalue\treason\ndomain\tacme.com\tCustomer, since 2024\nperson\tjane-doe\t\n', 'utf16le'),
    ],
  ])('imports a file with %s [EXC-11]', async (_what, content) => {
    const team = await world.team()
    const done = await run(team, 'exclusions', 'import', file('some.csv', content), '--list', 'customers')
    expect([done.code, done.stderr]).toEqual([0, expect.stringContaining('2 added, 0 listed already, 0 refused')])
    expect((await listed(team)).sort()).toEqual([
      ['domain', 'acme.com', 'customers', 'Customer, since 2024', 'csv'],
      ['person', 'jane-doe', 'customers', null, 'csv'],
    ])
  })

  it('names every refused row with its line, adds the others, and ends with 1 [EXC-11]', async () => {
    const team = await world.team()
    const rows = [
      'kind,value,reason',
      'domain,acme.com,',
      'planet,mars,',
      'title,"a,',
      'b",',
      'country,Atlantis,',
      'email,nobody,',
    ]
    const done = await run(team, 'exclusions', 'import', file('wrong.csv', rows.join('\n')), '--json')
    expect([done.code, JSON.parse(done.stdout)]).toEqual([
      1,
      { added: 2, alreadyListed: 0, refused: 3, matchingLeads: 0 },
    ])
    expect(done.stderr.match(/^line \d+/gm)?.sort()).toEqual(['line 3', 'line 6', 'line 7'])
    const none = await run(team, 'exclusions', 'import', file('none.csv', 'country,Atlantis\ncountry,Lemuria\n'))
    expect([none.code, none.stderr.match(/^line \d+/gm)]).toEqual([1, ['line 1', 'line 2']])
    expect((await run(team, 'exclusions', 'import', join(folder, 'missing.csv'))).code).toBe(2)
    expect((await run(team, 'exclusions', 'import', file('head.csv', 'kind,value,reason\n'))).code).toBe(2)
  })

  it('imports several batches of rows [EXC-11]', async () => {
    const team = await world.team()
    const rows = Array.from({ length: 2_500 }, (_, nth) => `person,imported-${nth},`)
    const done = await run(team, 'exclusions', 'import', file('many.csv', ['kind,value,reason', ...rows].join('\n')))
    expect([done.code, done.stderr]).toEqual([0, expect.stringContaining('2500 added')])
    expect((await ok(team.get('/exclusions'))).total).toBe(2_500)
  })
})

describe('a file of settings', () => {
  it('holds the lists, says what would change of each, and makes a team the same, whatever was on them [EXC-12]', async () => {
    const [one, other] = [await world.team(), await world.team()]
    await capture(world, other, [{ title: 'Intern' }, { title: 'Intern' }, { title: 'CTO' }])
    await exclude(
      one,
      [
        { kind: 'domain', value: 'acme.com', reason: 'Customer' },
        { kind: 'country', value: 'DE' },
      ],
      'customers',
    )
    await exclude(one, [{ kind: 'title', value: 'Intern' }], 'Our own')
    const path = join(folder, 'lists.yaml')
    const config = (team: Team, ...words: string[]) => run(team, 'config', ...words, '--file', path)
    expect((await config(one, 'pull')).code).toBe(0)
    expect((await config(one, 'plan')).stdout).toMatch(/^Nothing to do\./)
    await exclude(other, [{ kind: 'domain', value: 'old.com' }], 'customers')
    await exclude(other, [{ kind: 'domain', value: 'kept.com' }], 'elsewhere')
    const plan = (await config(other, 'plan')).stdout
    expect(plan).toContain('~ exclusions Our own: 1 added, 0 removed, 2 leads touched')
    expect(plan).toContain('~ exclusions customers: 2 added, 1 removed, 3 leads touched')
    expect((await config(other, 'apply')).code).toBe(0)
    expect((await config(other, 'plan')).stdout).toMatch(/^Nothing to do\./)
    expect((await listed(other)).map((entry: string[]) => entry.slice(0, 4)).sort()).toEqual([
      ['country', 'DE', 'customers', null],
      ['domain', 'acme.com', 'customers', 'Customer'],
      ['domain', 'kept.com', 'elsewhere', null],
      ['title', 'Intern', 'Our own', null],
    ])
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replace('domain', 'planet'))
    const wrong = await config(other, 'validate')
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('exclusions.customers[')])
  })

  it('leaves who has asked to hear no more on do_not_contact, whatever list a file or the team had them on [EXC-12, RSL-05, PRV-10]', async () => {
    const team = await world.team()
    const [objects, unwilling, silent] = [world.handle('objects'), world.handle('unwilling'), world.handle('silent')]
    const { id } = world.network.seedPerson({ handle: objects })
    const people = [objects, `https://www.linkedin.com/in/${unwilling}/`, silent]
    const entries = people.map((value) => ({ kind: 'person', value }))
    await exclude(team, [...entries, { kind: 'person', value: id }], 'competitors')
    const before = await entryOf(team, objects)
    const path = file(
      'opt-outs.yaml',
      `version: 1\nexclusions:\n  do_not_contact: []\n  competitors:\n    - {kind: person, value: ${objects}}\n`,
    )
    expect((await team.post('/privacy/objections', { profileUrl: objects })).status).toBe(201)
    expect((await team.post('/privacy/objections', { profileUrl: id })).status).toBe(200)
    const results = [{ profileUrl: `https://www.linkedin.com/in/${unwilling}`, outcome: 'unsubscribed' }]
    await ok(team.post('/results', { results }))
    const optOuts = [
      [objects, 'objection', 'api'],
      [id, 'objection', 'api'],
      [unwilling, 'unsubscribed', 'result'],
    ].map(([value, ...said]) => ['person', value, 'do_not_contact', ...said])
    const now = async () => (await listed(team)).toSorted()
    expect(await now()).toEqual([...optOuts, ['person', silent, 'competitors', null, 'api']].toSorted())
    // Removing the other list's entries, as read before, removes nobody who has objected since.
    expect((await team.del(`/exclusions/${before}`)).status).toBe(404)
    for (const text of [readFileSync(path, 'utf8'), 'version: 1\nexclusions:\n  competitors: []\n']) {
      writeFileSync(path, text)
      expect((await run(team, 'config', 'apply', '--file', path)).code).toBe(0)
      expect((await run(team, 'config', 'plan', '--file', path)).stdout).toMatch(/^Nothing to do\./)
      expect(await now()).toEqual(optOuts.toSorted())
    }
  })

  it('keeps people on a list while entries move, or get another reason, wherever it stops: nobody is on none [EXC-07, EXC-12]', async () => {
    const staying = ['one.com', 'two.com', 'three.com', 'reason.com']
    const lines = ['one.com', 'two.com', 'three.com', 'new.com'].map((value) => `    - {kind: domain, value: ${value}}`)
    const path = file(
      'stops.yaml',
      [
        'version: 1\nexclusions:\n  prospects: []\n  countries:\n    - {kind: country, value: DE}\n  customers:',
        ...lines,
        '    - {kind: domain, value: reason.com, reason: Since 2024}',
      ].join('\n'),
    )
    let calls = 0
    for (let stopsAt = 1, isWhole = false; !isWhole; stopsAt += 1) {
      const team = await world.team()
      const entries = [...staying.slice(0, 3), 'gone.com'].map((value) => ({ kind: 'domain', value }))
      await exclude(team, [...entries, { kind: 'country', value: 'Germany' }], 'prospects')
      await exclude(team, [{ kind: 'domain', value: 'reason.com', reason: 'Since 2023' }], 'customers')
      calls = 0
      const door = await openDoor((method, body) => {
        // Stopped behind a dry run, it has changed no more than before it.
        if (method !== 'GET' && !body.includes('"dryRun":true')) calls += 1
        return calls === stopsAt
      })
      const asked = ['config', 'apply', '--file', path]
      const stopped = await les(asked, { url: door.url, env: { LES_API_KEY: team.apiKey } })
      await door.close()
      isWhole = stopped.code === 0
      const left = await listed(team)
      const values = left.map(([, value]: string[]) => value)
      expect(values, `stopped at ${stopsAt}`).toEqual(expect.arrayContaining(staying))
      expect(left.filter(([kind]: string[]) => kind === 'country')).toHaveLength(1)
      expect((await run(team, ...asked)).code).toBe(0)
      expect((await listed(team)).map((entry: string[]) => entry.slice(1, 4)).toSorted()).toEqual(
        [
          ...['one.com', 'two.com', 'three.com', 'new.com'].map((value) => [value, 'customers', null]),
          ['reason.com', 'customers', 'Since 2024'],
          ['DE', 'countries', null],
        ].toSorted(),
      )
    }
    // At least the entries of each list, the replacements and the removals.
    expect(calls).toBeGreaterThan(3)
  })

  it('excludes before it tracks, so that nobody goes out meanwhile [EXC-07, EXC-12]', async () => {
    const team = await world.team()
    const username = world.handle('author')
    const path = file(
      'first.yaml',
      `version: 1\nexclusions:\n  customers:\n    - {kind: domain, value: acme.com}\nsources:\n  - person: ${username}\n`,
    )
    const door = await openDoor(() => false)
    const applied = await les(['config', 'apply', '--file', path, '--confirm-spend'], {
      url: door.url,
      env: { LES_API_KEY: team.apiKey },
    })
    await door.close()
    expect([applied.code, applied.stderr]).toEqual([0, expect.stringContaining('Done')])
    const changes = door.paths.filter((each) => !each.startsWith('GET'))
    expect(changes.map((each) => each.split('/').at(-1))).toEqual(['exclusions', 'exclusions', 'profile'])
  })

  it('moves somebody whom several entries list to another list in one step, and never off all [EXC-07, EXC-12]', async () => {
    const [team, fan] = [await world.team(), world.handle('fan')]
    const { id } = world.network.seedPerson({ handle: fan })
    for (const value of [fan, id]) await exclude(team, [{ kind: 'person', value }], 'prospects')
    await capture(world, team, [{ handle: fan }])
    const path = file(
      'several.yaml',
      `version: 1\nexclusions:\n  prospects: []\n  customers:\n    - {kind: person, value: ${fan}}\n`,
    )
    expect((await run(team, 'config', 'apply', '--file', path)).code).toBe(0)
    expect((await listed(team)).map((entry: string[]) => entry.slice(0, 3))).toEqual([['person', fan, 'customers']])
  })
})
