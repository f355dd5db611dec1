/** `les auth login` by a code: the real command line as a process, and a person who approves it in a browser. */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addMember } from '../../src/sign-in/index.ts'
import { memberOf, type MemberBrowser } from '../dashboard/stage.ts'
import { builtProgram, type Programs } from '../process/program.ts'
import { useWorld, type Team } from '../world/world.ts'

const world = useWorld({ overrides: { signInLimits: null } })
let built: Programs

type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

function useComputer() {
  let home: string
  beforeAll(async () => {
    built = await builtProgram()
    home = await mkdtemp(join(tmpdir(), 'les-device-'))
  })
  afterAll(() => rm(home, { recursive: true, force: true }))
  const les = (
    argv: readonly string[],
    onCode: (code: string) => Promise<void> = async () => {},
    input = '',
  ): Promise<Ended> => {
    const child = spawn(process.execPath, [built.client, ...argv], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH ?? '', HOME: home, ...built.settings },
    })
    let [stdout, stderr, told] = ['', '', false]
    child.stdin.end(input)
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
    return new Promise((resolve, reject) => {
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
        stderr += chunk
        const code = /approve the code ([A-Z0-9]+)\n/.exec(stderr)?.[1]
        if (code === undefined || told) return
        told = true
        onCode(code).catch(reject)
      })
      child.once('error', reject)
      child.once('close', (code) => resolve({ code, stdout, stderr }))
    })
  }
  const login = (person: MemberBrowser, yes: boolean, ...more: string[]) =>
    les(['auth', 'login', '--device', '--base-url', world.url, ...more], decide(person, yes))
  const config = () => join(home, '.config/les/config.json')
  const keyOf = async (profile: string) =>
    (JSON.parse(await readFile(config(), 'utf8')) as { profiles: Record<string, { apiKey: string }> }).profiles[profile]
      ?.apiKey
  return { les, login, config, keyOf }
}

/** The page's requests for a code: looks it up, then approves or denies. */
const decide = (person: MemberBrowser, yes: boolean) => async (code: string) => {
  const looked = await person.send('GET', `/app/api/auth/device?user_code=${code}`)
  if (looked.body.status !== 'pending') throw new Error(`not pending: ${looked.text}`)
  const answered = await person.send('POST', `/app/api/auth/device/${yes ? 'approve' : 'deny'}`, { userCode: code })
  if (answered.status !== 200) throw new Error(`not answered: ${answered.text}`)
}
const sessionsOf = async (person: MemberBrowser) =>
  (await person.send('GET', '/app/api/auth/list-sessions')).body as unknown[]
const keysOf = async (team: Team) => (await team.get('/keys')).body.keys as { name: string }[]

describe('les auth login by a code', () => {
  const computer = useComputer()
  const [elsewhere, { les, keyOf }] = [useComputer(), computer]
  /** All sign-ins run concurrently, because a client waits five seconds before it asks whether its code was approved. */
  let all: Awaited<ReturnType<typeof everybody>>
  beforeAll(async () => {
    all = await everybody()
  }, 120_000)
  async function everybody() {
    const [only, first] = [await world.team(), await world.team({ name: 'Sales North' })]
    const [second, third] = [await world.team({ name: 'Sales South' }), await world.team()]
    const [person, ofTwo] = [await memberOf(world, only, 'owner'), await memberOf(world, first, 'owner')]
    const [owner, member] = [await memberOf(world, third, 'owner'), await memberOf(world, third, 'member')]
    await world.service.unitOfWork((tx) => addMember(tx, { userId: ofTwo.userId, teamId: second.id, role: 'owner' }))
    const [outcome, unnamed, named, denied, powerless] = await Promise.all([
      computer.login(person, true),
      elsewhere.login(ofTwo, true, '--profile', 'none'),
      elsewhere.login(ofTwo, true, '--profile', 'south', '--team', 'Sales South'),
      elsewhere.login(owner, false, '--profile', 'denied'),
      elsewhere.login(member, true, '--profile', 'powerless'),
    ])
    return { only, first, second, third, person, ofTwo, member, outcome, unnamed, named, denied, powerless }
  }

  it('makes an API key for the only team the person owns, keeps just that key, and ends its session [CLI-01, AUT-05]', async () => {
    const { only: team, person, outcome } = all
    expect(outcome).toMatchObject({ code: 0, stdout: `signed in\tdefault\t${world.url}\n` })
    const key = await keyOf('default')
    expect(key).toMatch(/^cs_/)
    expect(`${outcome.stdout}${outcome.stderr}`).not.toContain(key!)
    expect((await stat(computer.config())).mode & 0o777).toBe(0o600)
    expect((await keysOf(team)).map(({ name }) => name)).toContain([...`les on ${hostname()}`].slice(0, 60).join(''))
    expect(JSON.parse((await les(['credits', 'show', '--json', 'balance'])).stdout)).toEqual({
      balance: await team.balance(),
    })
    expect(await sessionsOf(person)).toHaveLength(1)
    const audit = (await person.get('/audit')).body.entries[0]
    expect(audit).toMatchObject({ operation: 'createKey', actor: { kind: 'user', name: person.email } })
    expect(JSON.stringify(audit)).not.toContain(key!)
  })

  it('takes the team that is named, and says which there are when several are owned and none is named [CLI-01]', async () => {
    const { first, second, ofTwo, unnamed, named } = all
    expect([unnamed.code, unnamed.stderr]).toEqual([2, expect.stringContaining('--team (Sales North, Sales South)')])
    expect(named.code).toBe(0)
    expect(await sessionsOf(ofTwo)).toHaveLength(1)
    expect([(await keysOf(first)).length, (await keysOf(second)).length]).toEqual([1, 2])
    expect(await elsewhere.keyOf('none')).toBeUndefined()
  })

  it('gets nothing from a no, and nothing for who owns no team [CLI-01, AUT-05]', async () => {
    const { third, member, denied, powerless } = all
    expect([denied.code, denied.stderr]).toEqual([4, expect.stringContaining('denied')])
    expect([powerless.code, powerless.stderr]).toEqual([4, expect.stringContaining('only owners')])
    expect([await elsewhere.keyOf('denied'), await elsewhere.keyOf('powerless')]).toEqual([undefined, undefined])
    expect([(await keysOf(third)).length, (await sessionsOf(member)).length]).toEqual([1, 1])
  })

  it('a key that is at hand is still taken from standard input [CLI-01]', async () => {
    const team = await world.team()
    for (const flags of [[], ['--with-key']])
      expect(
        (
          await les(
            ['auth', 'login', '--profile', 'given', '--base-url', world.url, ...flags],
            undefined,
            `${team.apiKey}\n`,
          )
        ).code,
      ).toBe(0)
    expect(await keyOf('given')).toBe(team.apiKey)
    expect((await les(['auth', 'login', '--with-key', '--device'])).code).toBe(2)
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
