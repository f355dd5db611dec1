/** Texts of others no longer name an erased person; the rest of these texts stays. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { erasedMention, mentionPatterns } from '../../src/modules/privacy/mention-pattern.ts'
import { searchedForMentions } from '../../src/modules/privacy/mentions.ts'
import { windowsOf } from '../../src/platform/db/windows.ts'
import { fastClock, likes, sweep } from '../scenarios/sync-stage.ts'
import { freshDatabase, type TestDatabase } from '../world/database.ts'
import { useWorld, drainOnlyUnlessLongRun } from '../world/world.ts'
import { canaryEverywhere, canaryOf, placesOf } from './canary-stage.ts'

const id = 'ACoAAzqAbCdEfGhIjKlMnOpQrStUvWxYz012345'
const person = {
  urns: [id],
  handles: ['jürgen-müller', 'anna-lind', 'anna-lind-4b8'],
  names: [
    'José Müller, PhD',
    'Anna Lind',
    'Max Groß',
    'Zoë 🚀 Falk',
    'Ida Holm ✨ Speaker',
    '🚀 Jo Hägg',
    'Cher',
    "Mary-Jane O'Neil",
    'Lotte van der Berg',
    'Gabriel García Márquez',
    'Guðrún Dahl',
    'x": "y z',
    '田中 太郎',
    '山田花子',
    '김민수',
    'Dr. Eva M. Lund-Holm MBA',
    'Bo "Bobby" Strand',
    'Kim Berg - Partner',
    'Jürgen Groß',
    'Łukasz Ødegård',
    'Mark May',
    'Grace Will',
    'Søren Kjærgaard',
    'Þór Thess',
    "Tom 'Tommy' Vale",
    'Marcel·lí Pons',
    'ジョン・スミス',
    'สมชาย ใจดี',
    'أحمد حسن',
  ],
  mails: ['jm@mail.example', 'x(work)@mail.example'],
}

describe('a mention', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await freshDatabase()
  })
  afterAll(() => database.drop())

  const without = async (text: string): Promise<string> => {
    const { named, mention } = mentionPatterns(person)!
    const { rows } = await sql<{ text: string }>`
      select case when ${text}::text ~ ${named} then regexp_replace(${text}, ${mention}, ${erasedMention}, 'g') else ${text} end as text`.execute(
      database.root,
    )
    return rows[0]!.text
  }

  it.each([
    ['Anna Lind', '[erased]'],
    ['ANNA  lind and anna\nlind', '[erased] and [erased]'],
    ['Anna Lind Anna\tLind', '[erased] [erased]'],
    ['Anna/Lind, Anna | Lind and José|Müller', '[erased], [erased] and [erased]'],
    [
      "«Anna Lind», d'Anna Lind, Anna Lind's, _Anna Lind_ -Anna Lind",
      "«[erased]», d'[erased], [erased]'s, _[erased]_ -[erased]",
    ],
    ['Jose Muller, JOSÉ MÜLLER, José Müller', '[erased], [erased], [erased]'],
    ['with Jo Hägg and Mary‑Jane O’Neil', 'with [erased] and [erased]'],
    ['MAX GROSS, Max Groß', '[erased], [erased]'],
    ['Zoë 🚀 Falk, Zoe Falk, Ida Holm', '[erased], [erased], [erased]'],
    // Bold, cursive and full-width letters in place of a name's.
    ['𝗔𝗻𝗻𝗮 𝗟𝗶𝗻𝗱, ℐda Holm, Ｊｏｓｅ　Ｍｕｌｌｅｒ.', '[erased], [erased], [erased].'],
    [
      'https://www.linkedin.com/posts/kim-lee_today-with-anna-lind-and-jos%C3%A9-m%c3%bcller-activity-7529-ab',
      'https://www.linkedin.com/posts/kim-lee_today-with-[erased]-and-[erased]-activity-7529-ab',
    ],
    [
      '/posts/kim_anna-linds-talk-share-7?x, /posts/kim_mary-jane-oneil-ugcPost-7, /posts/kim_on-annalind-share-7',
      '/posts/kim_[erased]-talk-share-7?x, /posts/kim_[erased]-ugcPost-7, /posts/kim_on-[erased]-share-7',
    ],
    ['昨日田中 太郎さん', '昨日[erased]さん'],
    ['@anna-lind, @Jürgen-Müller;x', '[erased], [erased];x'],
    ['https://www.linkedin.com/in/anna-lind/?x', 'https://www.linkedin.com/in/[erased]/?x'],
    ['/in/J%C3%BCrgen-m%c3%bcller and /posts/anna-lind_a-title', '/in/[erased] and /posts/[erased]_a-title'],
    [`urn:li:fsd_profile:${id},NAME`, 'urn:li:fsd_profile:[erased],NAME'],
    ['Lind, Anna and LIND, ANNA; LIND Anna, Lind,Anna', '[erased] and [erased]; [erased], [erased]'],
    ['MÜLLER José, Falk, Zoë', '[erased], [erased]'],
    ['van der Berg, Lotte; García Márquez, Gabriel; GARCÍA MÁRQUEZ Gabriel', '[erased]; [erased]; [erased]'],
    ['/posts/kim_on-garcia-marquez-gabriel-activity-7, Gudrun Dahl', '/posts/kim_on-[erased]-activity-7, [erased]'],
    ['/posts/kim_thanks-anna-lind-4b8-today-activity-7', '/posts/kim_thanks-[erased]-today-activity-7'],
    ['/posts/kim_so-jurgen-muller-said-activity-7', '/posts/kim_so-[erased]-said-activity-7'],
    ['/posts/kim_with-lind-anna-today-activity-7529-ab', '/posts/kim_with-[erased]-today-activity-7529-ab'],
    ['Eva Lund-Holm, Dr. Eva M. Lund Holm MBA, Lund-Holm, Eva', '[erased], [erased], [erased]'],
    ['?q=Eva+M.+Lund-Holm, Eva_M._Lund-Holm', '?q=[erased], [erased]'],
    ['?q=Mary-Jane+O%27Neil, Mary-Jane O&#39;Neil', '?q=[erased], [erased]'],
    ['Bo “Bobby” Strand, Bo (Bobby) Strand, Bo Strand and Bobby Strand', '[erased], [erased], [erased] and [erased]'],
    ['Kim Berg, Juergen Gross, JUERGEN GROSS, Lukasz Odegard', '[erased], [erased], [erased], [erased]'],
    ['Anna Linds Rede, Mary-Jane ONeil, #AnnaLind #annalind', '[erased] Rede, [erased], [erased] [erased]'],
    ['Anna_Lind ?q=Anna+Lind&x=Anna%20Lind&y=Jos%C3%A9+M%C3%BCller', '[erased] ?q=[erased]&x=[erased]&y=[erased]'],
    ['A\u200bnna Lind, Anna\u2009Lind, Anna\u202fLind', '[erased], [erased], [erased]'],
    ['昨日山田花子さん、田中太郎さん', '昨日[erased]さん、[erased]さん'],
    ['어제 김민수님과 김 민수', '어제 [erased]님과 김 민수'],
    // One letter written as two, or two as one.
    ['Soren Kjaergaard, KJÆRGAARD Søren, Thess, Þór', '[erased], [erased], [erased]'],
    ['Thor Theß, MAX GROẞ', '[erased], [erased]'],
    ["Tom 'Tommy' Vale, Tommy Vale and Tom Vale", '[erased], [erased] and [erased]'],
    ['Marcel·lí Pons, Marcellí Pons, 昨日ジョン・スミスさん', '[erased], [erased], 昨日[erased]さん'],
    // Thai has no blanks between words; Arabic may add or omit vowel signs.
    ['ขอบคุณคุณสมชาย ใจดีมาก, شكرا احمد حسن وأَحمد حسن', 'ขอบคุณคุณ[erased]มาก, شكرا [erased] وأَحمد حسن'],
    ['mail JM@mail.example. or x(work)@mail.example', 'mail [erased]. or [erased]'],
  ])('in %j is replaced [PRV-04]', async (text, left) => {
    expect(await without(text)).toBe(left)
    // Inside JSON, which must stay JSON.
    expect(JSON.parse(await without(JSON.stringify([{ [text]: `\n${text}`, more: [text, `"${text}\\`] }])))).toEqual([
      { [left]: `\n${left}`, more: [left, `"${left}\\`] },
    ])
  })

  it.each([
    'Joanna Lindberg',
    'Anna Lindberg',
    '𝗔𝗻𝗻𝗮 𝗟𝗶𝗻𝗱𝗯𝗲𝗿𝗴 and 𝗝𝗼𝗮𝗻𝗻𝗮 𝗟𝗶𝗻𝗱',
    'Eva-Anna Lind',
    'Anna Lind-Berg',
    'Anna, Lind',
    'Cher is a name of one word',
    'you may, Mark; in May, Mark; I will, Grace; Will, Grace said; we will grace',
    'a lind, anna',
    'Lindberg, Anna and Lind, Annabel; BERGLIND Anna',
    'Eva Lund, Strand',
    '#AnnaLindberg',
    'anna-lind',
    '/posts/kim_joanna-lindberg-activity-7529',
    '/in/anna-lind-2',
    '/in/anna-lindberg',
    '@anna-lind-2',
    'me@anna-lind',
    `${id}x`,
    'xjm@mail.example jm@mail.example.com',
    '{"x": "y z"}',
  ])('is not in %j [PRV-04]', async (text) => {
    expect(await without(text)).toBe(text)
  })
})

describe('an erasure', () => {
  const world = useWorld({ config: drainOnlyUnlessLongRun, overrides: { system: fastClock } })

  it('leaves no mention in any column that is searched, of the team alone [PRV-04]', async () => {
    const canary = canaryOf(world)
    const { team, personId } = await canaryEverywhere(world, canary)
    const { handle, memberId, name, mail } = canary
    const said = `${name} (@${handle}, ${mail}): https://www.linkedin.com/in/${handle} ${memberId}`
    const { pool } = world.database
    const reasoned = { profileUrl: world.handle('stranger'), reason: 'asked' }
    expect((await team.post('/privacy/erasures', reasoned)).status).toBe(201)
    await pool.query(
      `insert into keyword_post (team_id, source_id, post_urn, sync_id, position, awaits_ai, outcome, reason, decided_at)
       select team_id, source_id, 'urn:li:activity:7', source_id, 1, false, 'discarded', 'About', saved_at
       from keyword_search where team_id = $1`,
      [team.id],
    )
    const untried: string[] = []
    for (const { table, kind, columns } of searchedForMentions)
      for (const column of columns) {
        const value = {
          text: `coalesce(${column}, '') || ' ' || $2::text`,
          json: `case jsonb_typeof(${column}) when 'array' then ${column} || to_jsonb($2::text)
            else coalesce(${column}, '{}') || jsonb_build_object('said', E'\\n' || $2::text) end`,
          prompt: `jsonb_set(${column}, '{search}', coalesce(${column}->'search', '{}') || jsonb_build_object('ai', jsonb_build_object('prompt', $2::text)))`,
          bytes: `convert_to(convert_from(${column}, 'UTF8') || $2::text, 'UTF8')`,
        }[kind]
        const { rowCount } = await pool.query(
          `update ${table} set ${column} = ${value} where team_id = $1 ${column === 'ai_prompt' ? 'and ai_prompt is not null' : ''}`,
          [team.id, said],
        )
        if (rowCount === 0) untried.push(`${table}.${column}`)
      }
    // This world has no rows of these; they are rewritten by the same statement.
    expect(untried).toEqual([
      'keyword_search.ai_prompt',
      'sync_post.post_url',
      'sync_post.page_rest',
      'discover_post.post',
      'outreach_rule.filters',
      'outreach_rule.campaign_name',
      'team_default.criteria',
      'team_default.outreach',
    ])
    const made = await team.post('/privacy/erasures', { personId })
    expect(made.status, made.text).toBe(201)
    const places = await placesOf(world, Object.values(canary))
    expect(places.filter((place) => !place.startsWith('public.delivery.body: {"event":"person.erased"'))).toEqual([])
  })

  it('goes through a table in windows that hold every row once', async () => {
    const team = await world.team()
    await world.database.pool.query(
      `insert into post (team_id, urn, url, author_kind, first_seen_at) select $1, 'urn:' || n, 'https://x.example/' || n, 'person', now()
       from generate_series(1, 5) n`,
      [team.id],
    )
    for (const size of [1, 2, 5, 6])
      await world.inShardOf(team, () =>
        world.service.unitOfWork(async (tx) => {
          const met: string[] = []
          for await (const window of windowsOf(tx, team.id, { table: 'post', key: 'urn', size })) {
            const { rows } = await sql<{ urn: string }>`
              select urn from post where team_id = ${team.id} and ${window} order by urn`.execute(tx.db)
            expect(rows.length).toBeLessThanOrEqual(size)
            met.push(...rows.map(({ urn }) => urn))
          }
          expect(met).toEqual(['urn:1', 'urn:2', 'urn:3', 'urn:4', 'urn:5'])
        }),
      )
  })

  it('is not undone where a post that it has rewritten is read again [PRV-04]', async () => {
    const team = await world.team({ credits: 100 })
    const [author, fan] = [world.handle('author'), world.handle('fan')]
    const name = `Zoë ${world.handle('name').replaceAll('-', '')}`
    world.network.seedPerson({ handle: fan, name })
    world.network.seedPost({ author, text: `With ${name}`, reactions: likes([fan]), comments: [] })
    await sweep(world, team, author)
    expect((await team.post('/privacy/erasures', { profileUrl: fan })).status).toBe(201)
    await world.move('25h')
    world.network.clearCalls()
    await sweep(world, team, author)
    expect(world.network.calls().length).toBeGreaterThan(0)
    const { rows } = await world.database.pool.query('select text from post where team_id = $1', [team.id])
    expect(rows).toEqual([{ text: 'With [erased]' }])
  })

  it('takes a title that names the person from lists and from what lists are searched by, and leaves namesakes and other teams [PRV-04]', async () => {
    const [team, others] = [await world.team({ credits: 100 }), await world.team({ credits: 100 })]
    const [author, fan, namesake, friend] = ['author', 'fan', 'namesake', 'friend'].map((one) => world.handle(one))
    const name = `Zoë ${world.handle('name').replaceAll('-', '')}`
    const title = `Assistant to ${name}`
    world.network.seedPerson({ handle: fan!, name })
    world.network.seedPerson({ handle: namesake!, name })
    world.network.seedPerson({ handle: friend!, title })
    world.network.seedPost({ author: author!, reactions: likes([fan!, namesake!, friend!]), comments: [] })
    for (const each of [team, others]) await sweep(world, each, author!)
    const made = await team.post('/privacy/erasures', { profileUrl: fan })
    expect([made.status, made.body.receipt.counts.leads], made.text).toEqual([201, 1])
    // The friend's lead and directory row.
    expect(made.body.receipt.counts.facts).toBe(3)
    const titles = async (of: typeof team, query: string) =>
      (await of.get(`/leads?${query}`)).body.leads.map(({ jobTitle }: { jobTitle: string }) => jobTitle)
    expect(await titles(team, 'jobTitle=assistant%20to')).toEqual(['Assistant to [erased]'])
    expect(await titles(team, `jobTitle=${encodeURIComponent(name)}`)).toEqual([])
    expect((await team.get(`/leads?name=${encodeURIComponent(name)}`)).body.total).toBe(1)
    expect(await titles(others, `jobTitle=${encodeURIComponent(name)}`)).toEqual([title])
  })
})
