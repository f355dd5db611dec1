/** Work of every kind for a team: how it begins, how to make it fail for that team only, and whether it was done. */
import type { JobKind } from '../../src/job-catalog.ts'
import { memberOf } from '../dashboard/stage.ts'
import { expect } from 'vitest'
import type { Answer, Team, World } from '../world/world.ts'
import { agentOf, running, seedTopicPost } from './agent-stage.ts'
import { runOf, seedWriters, start as startDiscover, topicOf } from './discover-stage.ts'
import { rowOf, search, topic } from './keyword-run-stage.ts'
import { capture, connect, fans, handlesIn, ok, type Connected } from './outreach-stage.ts'
import { slackDestination } from '../destinations/stage.ts'
import { likes, resweep, sourceOf, statusOf, sweep, track } from './sync-stage.ts'

/** Work of one kind. `poison` makes it fail for a team; `heal` undoes that. */
export type Scene = {
  readonly make?: () => Promise<Team>
  readonly poison: (team: Team) => Promise<unknown>
  readonly heal?: (team: Team) => Promise<unknown>
  readonly begin: (team: Team) => Promise<Ended>
}
/** Begun work. If it always failed, `failed` returns `expected`; `again` retries it. */
export type Ended = {
  readonly done: () => Promise<boolean>
  readonly failed: () => Promise<unknown>
  readonly expected: unknown
  readonly again: () => Promise<unknown>
}

const jobFailed = { status: 'failed', error: { status: 500, code: 'internal_error' } }

/** The scenes of a world without workers, and how to make writes fail in it. */
export function workScenes(world: World) {
  const sql = (text: string, values: unknown[] = []) => world.database.pool.query(text, values)

  const triggers: { name: string; table: string }[] = []
  /** Makes writes to a table fail until the test ends, for teams that are poisoned with what this returns. */
  const failing = async (event: string, table: string, when = 'true'): Promise<string> => {
    const name = `poison_${triggers.length}`
    triggers.push({ name, table })
    for (const shard of world.service.shards.names)
      await sql(
        `create trigger ${name} before ${event} on ${shard}.${table} for each row when (${when}) execute function poison.fail('${name}')`,
      )
    return name
  }
  /** Makes a team's writes fail: those named by `what`, else all that were made to. */
  const poison = (team: Team, what: string | null = null) =>
    sql('insert into poison.team values ($1, $2)', [team.id, what])
  const heal = (team: Team) => sql('delete from poison.team where id = $1', [team.id])

  const jobOf = async (team: Team, id: string): Promise<Answer['body']> => (await team.get(`/jobs/${id}/status`)).body

  /** Starts a job; `again` starts it once more after it has failed. */
  async function jobOfTeam(team: Team, path: string, body: object): Promise<Ended> {
    let id = (await ok(team.post(path, body))).jobId
    return {
      done: async () => (await jobOf(team, id)).status === 'completed',
      failed: () => jobOf(team, id),
      expected: jobFailed,
      again: async () => (id = (await ok(team.post(path, body))).jobId),
    }
  }

  const outreachStages = new Map<Team, Connected>()
  const makeConnected = async (): Promise<Team> => {
    const stage = await connect(world)
    outreachStages.set(stage.team, stage)
    return stage.team
  }
  const secrets = new Map<string, Buffer>()

  const scenes: Readonly<Record<JobKind, Scene>> = {
    capture: {
      poison: async (team) => poison(team, await failing('insert', 'lead')),
      begin: async (team) => {
        const author = world.handle('author')
        const post = world.network.seedPost({
          author,
          reactions: likes([world.handle(), world.handle()]),
          comments: [],
        }).id
        await track(team, author, { enrichLeads: false })
        return {
          done: async () => (await statusOf(team, author)).capture?.leadRowsCaptured === 2,
          failed: async () => [
            await statusOf(team, author),
            world.network.calls({ operation: 'post-reactions' }).filter((call) => call.query.post?.includes(post))
              .length,
          ],
          // The page that could not be written five times was paid for once.
          expected: [{ state: 'failed', errorCode: 'internal_error' }, 1],
          again: () => resweep(world, team, author),
        }
      },
    },
    keyword: {
      poison: async (team) => poison(team, await failing('insert', 'keyword_post')),
      begin: async (team) => {
        const word = topic(world)
        world.network.seedPost({
          author: world.handle('author'),
          text: `${word} today`,
          reactions: likes([world.handle()]),
          comments: [],
        })
        const { id } = await search(team, { expression: word })
        return {
          done: async () => (await rowOf(team, id)).lastRun?.stoppedBy === 'exhausted',
          failed: async () => [
            (await rowOf(team, id)).lastRun,
            world.network.calls({ operation: 'post-search' }).filter((call) => call.query.search === word).length,
          ],
          expected: [{ stoppedBy: 'error' }, 1],
          again: () => world.move('24h'),
        }
      },
    },
    enrichment: {
      poison: async (team) => poison(team, await failing('update', 'lead', `new.enrichment = 'completed'`)),
      begin: async (team) => {
        const [author, fan] = [world.handle('author'), world.handle('fan')]
        world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
        await track(team, author)
        const states = async () =>
          (await sql('select enrichment from lead where team_id = $1', [team.id])).rows.map((row) => row.enrichment)
        return {
          done: async () => String(await states()) === 'completed',
          failed: async () => [
            await states(),
            world.network
              .calls({ operation: 'profile' })
              .filter((call) => call.query.profileId === world.network.person(fan)!.id).length,
          ],
          expected: [['failed'], 1],
          again: () => ok(team.post('/enrich/profile', { username: fan })),
        }
      },
    },
    enrich_job: {
      poison: async (team) => poison(team, await failing('update', 'job', `new.status = 'completed'`)),
      begin: async (team) => {
        const [author, fan] = [world.handle('author'), world.handle('fan')]
        world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
        await sweep(world, team, author)
        return jobOfTeam(team, '/enrich/profile', { username: fan })
      },
    },
    posts_job: {
      poison: async (team) => poison(team, await failing('update', 'job', `new.status = 'completed'`)),
      begin: async (team) => {
        const author = world.handle('author')
        world.network.seedPost({ author, reactions: [], comments: [] })
        await sweep(world, team, author)
        return jobOfTeam(team, '/profile/posts', { username: author })
      },
    },
    delivery: {
      poison: async (team) => {
        secrets.set(
          team.id,
          (await sql('select signing_secret from team where id = $1', [team.id])).rows[0].signing_secret,
        )
        await sql('update team set signing_secret = $2 where id = $1', [team.id, Buffer.from('nothing that opens')])
      },
      heal: (team) => sql('update team set signing_secret = $2 where id = $1', [team.id, secrets.get(team.id)]),
      begin: async (team) => {
        const inbox = await world.inbox()
        const author = world.handle('author')
        world.network.seedPost({
          author,
          reactions: likes(Array.from({ length: 20 }, () => world.handle())),
          comments: [],
        })
        await track(team, author)
        await ok(team.put(`/profile/${author}/webhook`, { webhookUrl: inbox.url }))
        const { id } = await sourceOf(team, author)
        return {
          done: async () => inbox.received.length === 20,
          failed: async () =>
            (
              await sql(
                `select distinct d.state, a.outcome, d.attempts, (select count(*)::integer from delivery_attempt b
                   where b.delivery_id = d.id) as lines
                 from delivery d
                 join delivery_attempt a on a.delivery_id = d.id
                 where d.team_id = $1`,
                [team.id],
              )
            ).rows,
          expected: [{ state: 'held', outcome: 'unreadable_secret', attempts: 0, lines: 5 }],
          again: () => ok(team.put(`/sources/${id}/webhook`, { webhookUrl: inbox.url })),
        }
      },
    },
    outreach: {
      make: makeConnected,
      poison: async (team) => poison(team, await failing('insert', 'outreach_batch')),
      begin: async (team) => {
        const stage = outreachStages.get(team)!
        const save = (id: string) => ok(team.put(`/sources/${id}/outreach`, { campaignId: stage.campaignId }))
        const source = await capture(world, team, fans(2), { before: save })
        return {
          done: async () => handlesIn(world, stage.key, stage.campaignId).length === 2,
          failed: async () =>
            (await sql('select state, unexpected_failures from outreach_rule where team_id = $1', [team.id])).rows,
          // It waits and resumes by itself.
          expected: [{ state: 'active', unexpected_failures: 6 }],
          again: () => save(source.id),
        }
      },
    },
    push: {
      poison: async (team) => poison(team, await failing('update', 'push', 'not new.queueing')),
      begin: async (team) => {
        const author = world.handle('author')
        world.network.seedPost({ author, reactions: likes([world.handle()]), comments: [] })
        await track(team, author)
        const { id } = await sourceOf(team, author)
        await ok(team.put(`/sources/${id}/webhook`, { webhookUrl: (await world.inbox()).url, autoSend: false }))
        await sql(
          `insert into push (team_id, id, owner_id, icp_only, considered, queued, created_at, queueing)
           values ($1, gen_random_uuid(), $2, false, 1, 0, $3, true)`,
          [team.id, id, await world.now()],
        )
        await sql(`insert into work_turn (team_id, kind, served) values ($1, 'push', 0)`, [team.id])
        const row = async () =>
          (await sql('select queueing, unexpected_failures from push where team_id = $1', [team.id])).rows[0]
        return {
          done: async () => !(await row()).queueing,
          failed: row,
          expected: { queueing: true, unexpected_failures: 6 },
          again: () => world.move('2h'),
        }
      },
    },
    destination: {
      poison: async (team) => poison(team, await failing('update', 'destination_delivery', 'new.begun_at is not null')),
      begin: async (team) => {
        const { destination } = await slackDestination(world, team)
        await capture(world, team, fans(1))
        const counts = async () => (await ok(team.get(`/destinations/${destination.id}`))).counts
        return {
          done: async () => (await counts()).delivered === 1,
          failed: async () => [
            (await sql('select unexpected_failures from destination where team_id = $1', [team.id])).rows,
            (await counts()).waiting,
          ],
          // It waits and resumes by itself.
          expected: [[{ unexpected_failures: 6 }], 1],
          again: () => world.move('2h'),
        }
      },
    },
    export: {
      poison: async (team) => poison(team, await failing('insert', 'lead_export_part')),
      begin: async (team) => {
        await capture(world, team, fans(1))
        const begin = async () => (await ok(team.post('/exports', { format: 'csv' }))).id
        let id = await begin()
        const state = async () => (await ok(team.get(`/exports/${id}`))).state
        return {
          done: async () => (await state()) === 'done',
          failed: state,
          expected: 'failed',
          again: async () => (id = await begin()),
        }
      },
    },
    rescore: {
      poison: async (team) => poison(team, await failing('update', 'icp_rescore', 'new.done')),
      begin: async (team) => {
        const author = world.handle('author')
        world.network.seedPost({ author, reactions: likes([world.handle()]), comments: [] })
        await track(team, author)
        const { id } = await sourceOf(team, author)
        await sql(
          `insert into icp_rescore (team_id, owner_id, version, judged, done, started_at) values ($1, $2, 1, 0, false, $3)`,
          [team.id, id, await world.now()],
        )
        await sql(
          `insert into icp (team_id, owner_id, rules, match_mode, version, saved_at) values ($1, $2, '[]', 'all', 1, $3)`,
          [team.id, id, await world.now()],
        )
        await sql(`insert into work_turn (team_id, kind, served) values ($1, 'rescore', 0)`, [team.id])
        const row = async () =>
          (await sql('select done, unexpected_failures from icp_rescore where team_id = $1', [team.id])).rows[0]
        return {
          done: async () => (await row()).done,
          failed: row,
          expected: { done: false, unexpected_failures: 6 },
          again: () => world.move('2h'),
        }
      },
    },
    discover: {
      poison: async (team) => poison(team, await failing('insert', 'discover_post')),
      begin: async (team) => {
        const word = topicOf(world)
        seedWriters(world, word, [{ engagements: [90] }])
        const begin = async (): Promise<string> =>
          (await startDiscover(team, { keywords: [word], minEngagement: 1, maxInfluencers: 5 })).id
        let id = await begin()
        return {
          done: async () => (await runOf(team, id)).state === 'done',
          failed: () => runOf(team, id),
          expected: { state: 'failed', error: { code: 'internal_error' } },
          again: async () => (id = await begin()),
        }
      },
    },
    agent: {
      poison: async (team) => poison(team, await failing('update', 'agent', 'new.people_added')),
      begin: async (team) => {
        const word = topic(world)
        const handles = Array.from({ length: 2 }, () => world.handle('writer'))
        for (const handle of handles) world.network.seedPerson({ handle, posts: [] })
        seedWriters(
          world,
          word,
          handles.map((handle, at) => ({ handle, engagements: [300 - at] })),
        )
        await running(world, team, { topics: [word], dailyCredits: 650 })
        return {
          done: async () => (await agentOf(team)).peopleAdded === true,
          failed: async () =>
            (await sql('select people_added, unexpected_failures from agent where team_id = $1', [team.id])).rows,
          expected: [{ people_added: false, unexpected_failures: 6 }],
          again: () => world.move('2h'),
        }
      },
    },
    ranking: {
      poison: async (team) => poison(team, await failing('insert', 'agent_person')),
      begin: async (team) => {
        const word = topic(world)
        seedTopicPost(world, `About ${word}`, [{}])
        await running(world, team, { topics: [word] })
        const kept = async () =>
          (await sql('select 1 from agent_person where team_id = $1 and ended', [team.id])).rows.length
        const failures = async () =>
          (await sql('select unexpected_failures from agent_ranking where team_id = $1', [team.id])).rows[0]
        return {
          done: async () => (await kept()) === 1,
          // It resumes by itself; people without a stored score are scored when they are read.
          failed: async () => [await failures(), (await ok(team.get('/agent/leads'))).total],
          expected: [{ unexpected_failures: 6 }, 1],
          again: () => world.move('2h'),
        }
      },
    },
    send: {
      poison: async (team) => poison(team, await failing('update', 'planned_send_part')),
      begin: async (team) => {
        const inbox = await world.inbox()
        const { id: sourceId } = await capture(world, team, fans(2))
        await ok(team.put(`/sources/${sourceId}/webhook`, { webhookUrl: inbox.url }))
        const member = await memberOf(world, team, 'member')
        const send = { kind: 'push', leads: { by: 'source', sourceId } }
        const plan = async () => {
          expect((await member.post('/sends', { send, goes: 2 })).status).toBe(201)
          await world.move('10s')
        }
        await plan()
        return {
          done: async () => inbox.received.length === 2,
          failed: async () => [(await member.get('/sends')).body.sends, inbox.received.length],
          expected: [[{ state: 'failed', counts: { sent: 0 } }], 0],
          again: plan,
        }
      },
    },
    results: {
      make: makeConnected,
      poison: async (team) => poison(team, await failing('insert', 'result')),
      begin: async (team) => {
        const stage = outreachStages.get(team)!
        const { leadIds, handles } = await capture(world, team, fans(1))
        await ok(team.post('/integrations/outreach/send', { campaignId: stage.campaignId, leadIds }))
        const { resultsUrl } = await ok(team.get('/integrations/outreach'))
        const profileUrl = `https://www.linkedin.com/in/${handles[0]}`
        world.network.outreach.advanceLead(stage.key, Number(stage.campaignId), profileUrl, 'replied')
        const posted = async () =>
          fetch(resultsUrl, {
            method: 'POST',
            body: JSON.stringify({
              event_type: 'message_reply_received',
              timestamp: (await world.now()).toISOString(),
              lead: { profile_url: profileUrl },
            }),
          })
        await posted()
        const replied = async () => (await team.get('/leads')).body.leads[0].results.replied
        return { done: replied, failed: async () => [await replied()], expected: [false], again: posted }
      },
    },
  }

  return {
    scenes,
    sql,
    poison,
    heal,
    failing,
    /** Call before the first scene. */
    prepare: async () => {
      world.network.seedSearch({ generated: false })
      await sql('create schema poison')
      await sql('create table poison.team (id uuid, what text)')
      await sql(`create function poison.fail() returns trigger language plpgsql as $$ begin
    if exists (select 1 from poison.team
      where id = coalesce(new.team_id, old.team_id) and (what is null or what = tg_argv[0])) then raise exception 'nothing of this team can be written'; end if;
      return coalesce(new, old); end $$`)
    },
    /** Call after each scene. */
    clear: async () => {
      for (const { name, table } of triggers.splice(0))
        for (const shard of world.service.shards.names) await sql(`drop trigger ${name} on ${shard}.${table}`)
    },
  }
}
