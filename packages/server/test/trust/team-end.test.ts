/** Deleting a team: closed at once, restored as it was, or gone with every row; other teams notice nothing. */
import { describe, expect, it } from 'vitest'
import { notExported, staysAfterTeam, teamTables } from '../../src/worker/team-end/tables.ts'
import { at, memberOf, signUp } from '../dashboard/stage.ts'
import { likes, people, sourceOf, statusOf, track } from '../scenarios/sync-stage.ts'
import { App } from '../sign-in/app.ts'
import type { Inbox } from '../world/inbox.ts'
import { anyShard, eachTableOnce } from '../world/shards.ts'
import { send, useWorld, drainOnly, type Team } from '../world/world.ts'

// Without workers and clock: what a test does not drain waits.
const world = useWorld({ config: drainOnly })

const rows = async <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await world.database.pool.query<T>(text, values)).rows

const quoted = (table: string) =>
  table
    .split('.')
    .map((part) => `"${part}"`)
    .join('.')
const columnOf = ({ teamColumn }: { teamColumn?: string }) => (teamColumn === undefined ? 'team_id' : `"${teamColumn}"`)

/** A team's rows per table; tables without any are left out. */
async function countRows({ id }: Pick<Team, 'id'>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of [{ name: 'team', teamColumn: 'id' }, ...teamTables]) {
    const [row] = await rows<{ count: number }>(
      `select count(*)::int as count from ${quoted(table.name)} where ${columnOf(table)}::text = $1`,
      [id],
    )
    if (row!.count > 0) counts[table.name] = row!.count
  }
  return counts
}

/** As `countRows`, without the request log, which is written with a delay. */
async function countSettled(team: Pick<Team, 'id'>): Promise<Record<string, number>> {
  const { request_log: _log, ...counts } = await countRows(team)
  return counts
}

/** A team with a source, enriched and delivered leads, and, if asked for, a member. */
async function stage() {
  const [team, author, inbox] = [await world.team({ credits: 100 }), world.handle('author'), await world.inbox()]
  const fans = people(world, 2)
  const { id: postId } = world.network.seedPost({ author, reactions: likes(fans) })
  await track(team, author)
  expect((await team.put(`/profile/${author}/webhook`, { webhookUrl: inbox.url })).status).toBe(200)
  await world.drain()
  expect(inbox.received.length).toBeGreaterThanOrEqual(2)
  return { team, author, inbox, fans, postId, makeOwner: () => memberOf(world, team, 'owner') }
}

/** Adds a lead whose delivery fails and waits for its retry. */
async function leaveWaiting(
  team: Team,
  { author, inbox, postId, fans }: { author: string; inbox: Inbox; postId: string; fans: readonly string[] },
) {
  const [late] = people(world, 1)
  world.network.seedPost({ id: postId, author, reactions: likes([...fans, late!]) })
  inbox.answer(500)
  await team.post(`/sources/${(await sourceOf(team, author)).id}/sync`)
  await world.drain()
  inbox.answer(200)
  return late!
}

const pendingOf = async (team: Team) =>
  (
    await rows<{ count: number }>(
      `select count(*)::int as count from delivery where team_id = $1 and state = 'pending'`,
      [team.id],
    )
  )[0]!.count
const close = (team: Team, more = '') => world.operator('DELETE', `/operator/teams/${team.id}${more}`)
const restore = (team: Team) => world.operator('POST', `/operator/teams/${team.id}/restore`, {})
const days = async (count: number) => new Date((await world.now()).getTime() + count * 86_400_000).toISOString()
const runTask = () => world.runTask('remove teams that have ended')
const expectLedgerKept = (team: Team) =>
  expect(rows('delete from credit_entry where team_id = $1', [team.id])).rejects.toThrow(/credit_entry is append-only/)

describe('a team that its owner closes', () => {
  it('lets nobody in from then on: not its keys, its members, the apps they connected, nor whom they invited; restored, it lets all of them in again [PRV-13]', async () => {
    const { team, makeOwner } = await stage()
    const owner = await makeOwner()
    const app = await new App(world).register()
    const { access_token: token } = await app.signIn(owner, team.id)
    const guest = await signUp(world)
    await owner.post('/invitations', { email: guest.email, role: 'member' })
    await world.service.signIn.settled()
    const invitation = /invite\?token=(\S+)/.exec(world.mails.at(-1)!.text)![1]!
    const doors = async () => ({
      key: (await team.get('/credits')).status,
      tools: (await app.rpc('tools/list', {}, token)).status,
      toolsByKey: (
        await send(
          `${world.url}/mcp`,
          'POST',
          {
            'x-api-key': team.apiKey,
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
          },
          JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
        )
      ).status,
      settings: (await owner.get('/settings')).status,
      leads: (await owner.get('/v1/leads')).status,
      export: (await owner.get('/export')).status,
      teams: (await owner.send('GET', '/app/api/me')).body.teams.length,
      connections: (await owner.send('GET', '/app/api/connections')).body.connections.length,
      invitation: (await guest.send('POST', '/app/api/invitations/read', { token: invitation })).status,
    })
    const open = {
      key: 200,
      tools: 200,
      toolsByKey: 200,
      settings: 200,
      leads: 200,
      export: 200,
      teams: 1,
      connections: 1,
      invitation: 200,
    }
    expect(await doors()).toEqual(open)

    const viewer = at(guest, team.id)
    expect((await viewer.post('/close')).status).toBe(404)
    const closed = await owner.post('/close')
    expect([closed.status, closed.body]).toEqual([200, { closedAt: await days(0), endsAt: await days(30) }])
    expect(await doors()).toEqual({
      key: 401,
      tools: 401,
      toolsByKey: 401,
      settings: 404,
      leads: 404,
      export: 404,
      teams: 0,
      connections: 0,
      invitation: 404,
    })
    expect((await team.get('/credits')).body.error).toBe('Invalid API key: it is unknown or was revoked')
    expect((await world.operator('GET', `/operator/teams/${team.id}`)).body.team).toMatchObject({
      status: 'closed',
      endsAt: await days(30),
    })
    expect((await world.operator('POST', `/operator/teams/${team.id}/keys`, { name: 'Another' })).status).toBe(404)
    expect((await team.change({ name: 'Another' })).status).toBe(404)

    expect((await restore(team)).body.team).toMatchObject({
      id: team.id,
      status: 'active',
    })
    expect(await doors()).toEqual(open)
    const [entry] = await rows<{ operation: string }>(
      `select operation from audit_entry where team_id = $1 order by id desc limit 1`,
      [team.id],
    )
    expect(entry).toEqual({ operation: 'closeTeam' })
  })
})

describe('a closed team', () => {
  it('is sent nothing, swept by nothing and charged nothing, and changes in no row; restored, what waited is sent and its days go on [PRV-13]', async () => {
    const staged = await stage()
    const { team, author, inbox, postId, fans } = staged
    const late = await leaveWaiting(team, staged)
    expect(await pendingOf(team)).toBe(1)
    const before = inbox.received.length

    expect((await close(team)).status).toBe(200)
    const held = await countSettled(team)
    const [later] = people(world, 1)
    world.network.seedPost({ id: postId, author, reactions: likes([...fans, late, later!]) })
    const asked = world.network.calls().length
    for (const wait of ['1h', '24h', '72h']) await world.advance(wait)
    expect([inbox.received.length, world.network.calls().length, await pendingOf(team)]).toEqual([before, asked, 1])
    expect(await countSettled(team)).toEqual(held)

    expect((await restore(team)).status).toBe(200)
    await world.advance('72h')
    expect(
      inbox.received
        .slice(before)
        .map(({ body }) => body.lead.linkedinUrl.split('/in/')[1])
        .sort(),
    ).toEqual([late, later!].sort())
    expect(await pendingOf(team)).toBe(0)
    expect((await statusOf(team, author)).state).toBe('completed')
    expect(await team.balance()).toBe(96)
  })

  it('that is closed under a run leaves it as it is, and charges nobody twice when it goes on [PRV-13]', async () => {
    const team = await world.team({ credits: 100 })
    const author = world.handle('author')
    world.network.seedPost({ author, reactions: likes(people(world, 3)) })
    const asked = () => world.network.calls({ operation: 'post-reactions' }).length
    const before = asked()
    world.network.hold({ operation: 'post-reactions' })
    await track(team, author, { enrichLeads: false })
    world.beginDrain()
    await expect.poll(asked).toBeGreaterThan(before)
    await close(team)
    world.network.release()
    await world.drain()
    const state = () => rows(`select state, lead_rows, lease_until_ms from sync where team_id = $1`, [team.id])
    expect(await state()).toEqual([{ state: 'capturing', lead_rows: 0, lease_until_ms: null }])

    await restore(team)
    await world.drain()
    expect((await statusOf(team, author)).capture).toMatchObject({ leadRowsCaptured: 3, creditsSpent: 3 })
    expect(await team.balance()).toBe(97)
  })

  it('is exported whole, without secrets, by the operator, and by its owner while it is open [PRV-13]', async () => {
    const { team, makeOwner, fans } = await stage()
    const owner = await makeOwner()
    await rows(
      `insert into saved_view select $1, gen_random_uuid(), 'leads', 'View ' || n, '{}', 'somebody', $2, $2 from generate_series(1, 1201) n`,
      [team.id, await world.now()],
    )
    const byOwner = await owner.get('/export')
    await close(team)
    const byOperator = await world.operator('GET', `/operator/teams/${team.id}/export`)
    expect(byOperator.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    const lines = byOperator.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { table: string; row: Record<string, unknown> })
    const held = await countSettled(team)
    expect(
      Object.fromEntries(
        Map.groupBy(
          lines.filter(({ table }) => table !== 'request_log'),
          ({ table }) => table,
        )
          .entries()
          .map(([table, its]) => [table, its.length]),
      ),
    ).toEqual(Object.fromEntries(Object.entries(held).filter(([table]) => !notExported.has(table))))
    expect(
      lines
        .filter(({ table }) => table === 'lead')
        .map(({ row }) => row.handle)
        .sort(),
    ).toEqual([...fans].sort())
    expect(byOwner.text.split('\n').filter((line) => line.includes('"table" : "lead"'))).toHaveLength(2)
    for (const text of [byOwner.text, byOperator.text]) {
      expect(text).not.toMatch(/data_key|signing_secret|"sealed"|"hash"|token_hash/)
      expect(text).not.toContain(team.apiKey)
    }
  })
})

describe('a team whose time has come', () => {
  it('can be restored for thirty days; then every row is gone, and its id, key and member know nothing of it [PRV-13]', async () => {
    const { team, makeOwner } = await stage()
    const owner = await makeOwner()
    await close(team)
    await expectLedgerKept(team)
    await world.advance('29.9d')
    expect(await runTask()).toBe(0)
    expect((await restore(team)).status).toBe(200)
    expect((await team.get('/credits')).status).toBe(200)

    const { body } = await close(team)
    expect(body).toMatchObject({ gone: false, team: { closedAt: await days(0), endsAt: await days(30) } })
    await world.move('15d')
    expect((await close(team)).body.team).toEqual(body.team)
    await world.move('15d')
    expect((await restore(team)).status).toBe(404)
    await world.drain()
    expect(await countRows(team)).toEqual({})
    expect((await world.operator('GET', `/operator/teams/${team.id}`)).status).toBe(404)
    expect((await close(team)).status).toBe(404)
    expect((await team.get('/credits')).status).toBe(401)
    expect([(await owner.get('/settings')).status, (await owner.send('GET', '/app/api/me')).body.teams]).toEqual([
      404,
      [],
    ])
  })

  it('is gone at once when the operator says so; of another team nothing goes, and of the sums of the operator nothing either [PRV-13]', async () => {
    const [ended, other] = [await stage(), await stage()]
    for (const { makeOwner } of [ended, other]) await makeOwner()
    await expectLedgerKept(other.team)
    const sums = () =>
      rows(
        `select vendor, day, calls, micro_dollars from serving_cost where team_id = any($1::uuid[]) order by team_id, vendor, day, source_id`,
        [[ended.team.id, other.team.id]],
      )
    const ofVendors = () => rows('select vendor, day, calls, micro_dollars from vendor_cost_day order by vendor, day')
    const before = { other: await countSettled(other.team), sums: await sums(), ofVendors: await ofVendors() }
    expect((await close(ended.team, '?now=perhaps')).status).toBe(400)
    expect((await ended.team.get('/credits')).status).toBe(200)
    const answer = await close(ended.team, '?now=true')
    expect([answer.status, answer.body.gone]).toEqual([200, true])
    expect(await countRows(ended.team)).toEqual({})
    expect({ other: await countSettled(other.team), sums: await sums(), ofVendors: await ofVendors() }).toEqual(before)
    expect(before.sums.length).toBeGreaterThan(0)
    await world.advance('48h')
    expect((await other.team.get('/credits')).status).toBe(200)
  })

  it.each(['team-end.removed', 'team-end.team-removed'] as const)(
    'goes although the process dies at %s: whoever begins again removes what is left [PRV-13]',
    async (point) => {
      const { team } = await stage()
      // More rows than one unit of work removes.
      await rows(`insert into lead_gone select $1, $1, sha256(n::text::bytea) from generate_series(1, 2500) n`, [
        team.id,
      ])
      await world.arm(point, 2)
      expect((await close(team, '?now=true')).status).toBe(500)
      expect(await countRows(team)).toMatchObject({ team: 1 })
      expect((await restore(team)).status).toBe(404)
      await expect(runTask()).rejects.toThrow(point)
      await runTask()
      expect(await countRows(team)).toEqual({})
    },
  )

  it('and cannot be removed keeps no other from its end, and goes when it can [PRV-13]', async () => {
    const [{ team: stuck }, { team: sound }] = [await stage(), await stage()]
    await rows(`create function stuck() returns trigger language plpgsql as $$ begin raise 'stuck'; end $$`)
    await rows(
      `create trigger stuck before delete on ${await world.shardOf(stuck)}.lead for each row when (old.team_id = '${stuck.id}') execute function stuck()`,
    )
    for (const team of [stuck, sound]) await close(team)
    await world.move('30d')
    await runTask()
    expect([await countRows(sound), (await countRows(stuck)).team]).toEqual([{}, 1])
    await rows('drop function stuck cascade')
    await runTask()
    expect(await countRows(stuck)).toEqual({})
  })
})

describe('the list of tables of a team', () => {
  it('holds every table that names a team, and none before what refers to it [PRV-13]', async () => {
    const found = await rows<{ name: string }>(
      `select case table_schema when 'sign_in' then 'sign_in.' else '' end || table_name as name
      from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where table_schema = any($1) and table_type = 'BASE TABLE'
        and (column_name = 'team_id' or (table_schema = 'sign_in' and column_name = 'referenceId'))`,
      [eachTableOnce],
    )
    const listed = teamTables.map(({ name }) => name)
    // An OAuth client belongs to no team: its `referenceId` is not used.
    expect([...listed, ...Object.keys(staysAfterTeam), 'sign_in.oauthClient'].sort()).toEqual(
      found.map(({ name }) => name).sort(),
    )

    const refers = await rows<{ child: string; parent: string }>(
      `select child.relname as child, parent.relname as parent from pg_constraint
      join pg_class child on child.oid = conrelid join pg_class parent on parent.oid = confrelid
      where contype = 'f' and conrelid <> confrelid and connamespace::regnamespace::text = any($1)`,
      [['public', anyShard]],
    )
    const wrong = refers.filter(
      ({ child, parent }) => parent !== 'team' && listed.indexOf(child) > listed.indexOf(parent),
    )
    expect(wrong).toEqual([])
    expect([...notExported].filter((name) => !listed.includes(name))).toEqual([])
  })
})
