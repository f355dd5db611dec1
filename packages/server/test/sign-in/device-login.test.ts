/** `les auth login` by a code: the command line, and a person who approves it in a browser. */
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { les } from '../../../cli/test/shell.ts'
import { addMember } from '../../src/sign-in/index.ts'
import { memberOf, type MemberBrowser } from '../dashboard/stage.ts'
import { useWorld, type Team } from '../world/world.ts'

const world = useWorld({ overrides: { signInLimits: null } })

let home: string
beforeAll(async () => void (home = await mkdtemp(join(tmpdir(), 'les-device-'))))
afterAll(() => rm(home, { recursive: true, force: true }))

const env = () => ({ HOME: home, LES_API_KEY: '' })
/** Signs in by a code, which a person approves or denies while the client waits. */
const login = (person: MemberBrowser, yes: boolean, ...more: string[]) =>
  les(['auth', 'login', '--device', '--base-url', world.url, ...more], {
    env: env(),
    onPause: () => decide(person, yes),
  })
const config = () => join(home, '.config/les/config.json')
const keyOf = async (profile: string) =>
  (JSON.parse(await readFile(config(), 'utf8')) as { profiles: Record<string, { apiKey: string }> }).profiles[profile]
    ?.apiKey

/** The page's requests for the newest code: looks it up, then approves or denies. */
async function decide(person: MemberBrowser, yes: boolean): Promise<void> {
  const { rows } = await world.database.pool.query<{ code: string }>(
    `select "userCode" as code from sign_in."deviceCode" where status = 'pending' order by "expiresAt" desc limit 1`,
  )
  const { code } = rows[0]!
  const looked = await person.send('GET', `/app/api/auth/device?user_code=${code}`)
  if (looked.body.status !== 'pending') throw new Error(`not pending: ${looked.text}`)
  const answered = await person.send('POST', `/app/api/auth/device/${yes ? 'approve' : 'deny'}`, { userCode: code })
  if (answered.status !== 200) throw new Error(`not answered: ${answered.text}`)
}
const sessionsOf = async (person: MemberBrowser) =>
  (await person.send('GET', '/app/api/auth/list-sessions')).body as unknown[]
const keysOf = async (team: Team) => (await team.get('/keys')).body.keys as { name: string }[]

describe('les auth login by a code', () => {
  it('makes an API key for the only team the person owns, keeps just that key, and ends its session [CLI-01, AUT-05]', async () => {
    const team = await world.team()
    const person = await memberOf(world, team, 'owner')
    const outcome = await login(person, true)
    expect(outcome).toMatchObject({ code: 0, stdout: `signed in\tdefault\t${world.url}\n` })
    const key = await keyOf('default')
    expect(key).toMatch(/^cs_/)
    expect(`${outcome.stdout}${outcome.stderr}`).not.toContain(key!)
    expect((await stat(config())).mode & 0o777).toBe(0o600)
    expect((await keysOf(team)).map(({ name }) => name)).toContain([...`les on ${hostname()}`].slice(0, 60).join(''))
    const { stdout } = await les(['credits', 'show', '--json', 'balance'], { env: env() })
    expect(JSON.parse(stdout)).toEqual({ balance: await team.balance() })
    expect(await sessionsOf(person)).toHaveLength(1)
    const audit = (await person.get('/audit')).body.entries[0]
    expect(audit).toMatchObject({ operation: 'createKey', actor: { kind: 'user', name: person.email } })
    expect(JSON.stringify(audit)).not.toContain(key!)
  })

  it('takes the team that is named, and says which there are when several are owned and none is named [CLI-01]', async () => {
    const [first, second] = [await world.team({ name: 'Sales North' }), await world.team({ name: 'Sales South' })]
    const person = await memberOf(world, first, 'owner')
    await world.service.unitOfWork((tx) => addMember(tx, { userId: person.userId, teamId: second.id, role: 'owner' }))
    const unnamed = await login(person, true, '--profile', 'none')
    expect([unnamed.code, unnamed.stderr]).toEqual([2, expect.stringContaining('--team (Sales North, Sales South)')])
    expect((await login(person, true, '--profile', 'south', '--team', 'Sales South')).code).toBe(0)
    expect(await sessionsOf(person)).toHaveLength(1)
    expect([(await keysOf(first)).length, (await keysOf(second)).length]).toEqual([1, 2])
    expect(await keyOf('none')).toBeUndefined()
  })

  it('gets nothing from a no, and nothing for who owns no team [CLI-01, AUT-05]', async () => {
    const team = await world.team()
    const [owner, member] = [await memberOf(world, team, 'owner'), await memberOf(world, team, 'member')]
    const denied = await login(owner, false, '--profile', 'denied')
    expect([denied.code, denied.stderr]).toEqual([4, expect.stringContaining('denied')])
    const powerless = await login(member, true, '--profile', 'powerless')
    expect([powerless.code, powerless.stderr]).toEqual([4, expect.stringContaining('only owners')])
    expect([await keyOf('denied'), await keyOf('powerless')]).toEqual([undefined, undefined])
    expect([(await keysOf(team)).length, (await sessionsOf(member)).length]).toEqual([1, 1])
  })
})

describe('the exchange for a key', () => {
  it('is refused to who is no owner, for a team that is not theirs or is not served, and without a session [AUT-05]', async () => {
    const [team, foreign, ended] = [await world.team(), await world.team(), await world.team({ status: 'expired' })]
    const member = await memberOf(world, team, 'member')
    const owner = await memberOf(world, ended, 'owner')
    const exchange = (person: MemberBrowser, teamId: string) =>
      person.send('POST', '/app/api/device/key', { teamId, name: 'les on x' })
    expect((await exchange(member, team.id)).body).toMatchObject({ code: 'role_required', needed: 'owner' })
    for (const id of [foreign.id, 'nonsense']) expect((await exchange(member, id)).status).toBe(404)
    expect((await exchange(owner, ended.id)).status).toBe(403)
    expect(
      (
        await fetch(`${world.url}/app/api/device/key`, {
          method: 'POST',
          headers: { authorization: 'Bearer made-up', 'content-type': 'application/json' },
          body: JSON.stringify({ teamId: team.id, name: 'x' }),
        })
      ).status,
    ).toBe(401)
    expect((await exchange(member, team.id)).status).toBe(403)
    expect(await keysOf(team)).toHaveLength(1)
  })
})
