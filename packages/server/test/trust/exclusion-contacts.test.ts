/** Contacts named by profile address with free text about them: those an entry matches are not sent (EXC-07, EXC-08). */
import { expect, it } from 'vitest'
import { capture, connect, handlesIn } from '../scenarios/outreach-stage.ts'
import { ok } from '../scenarios/fit-stage.ts'
import { useWorld, drainOnlyUnlessLongRun, type Team } from '../world/world.ts'
import { exclude, type Entry } from './exclusions-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

/** Sends contacts with these texts, and one without any; only that one and `others` must arrive. */
async function expectLeftOut(
  stage: { readonly team: Team; readonly key: string; readonly campaignId: string },
  said: readonly Record<string, string>[],
  others: readonly Record<string, string>[] = [],
): Promise<void> {
  const contacts = [...said, ...others, {}].map((what) => ({ handle: world.handle('contact'), what }))
  const people = contacts.map(({ handle, what }) => ({ profileUrl: `https://www.linkedin.com/in/${handle}`, ...what }))
  const { campaignId, team, key } = stage
  const before = handlesIn(world, key, campaignId)
  await ok(team.post('/integrations/outreach/send', { campaignId, people }))
  const arrived = new Set(handlesIn(world, key, campaignId).filter((handle) => !before.includes(handle)))
  const passed = contacts.filter(({ handle }) => arrived.has(handle)).map(({ what }) => what)
  expect(passed).toEqual([...others, {}])
}

it('a country is recognised by any of its names and codes, in any part of a location [EXC-08]', async () => {
  const stage = await connect(world)
  await exclude(stage.team, [{ kind: 'country', value: 'Germany' }])
  const places = [
    'BRD',
    'Berlin, Germany',
    'Deutschland',
    'Germany\u3164',
    'DEU',
    'Munich · Deutschland',
    'Berlin 🇩🇪',
    '柏林，德国',
  ]
  await expectLeftOut(
    stage,
    places.map((country) => ({ country })),
    [{ country: 'Vienna, Austria' }, { country: 'New Germany Road' }],
  )
})

it('a company is recognised by its slug, its page, its number and its name, however it is listed, by its domain too [EXC-08]', async () => {
  const slug = world.handle('acme')
  const name = `Ácme ${world.handle('group')} GmbH`
  const company = world.network.seedCompany({ slug, name, website: `https://www.${slug}.example.com` })
  const number = company.id
  const listed = [slug, `https://www.linkedin.com/company/${slug}/about`, number].map((value) => ({
    kind: 'company',
    value,
  }))
  for (const entry of [...listed, { kind: 'domain', value: `${slug}.example.com` }]) {
    const stage = await connect(world)
    await capture(world, stage.team, [{ handle: world.handle('staff'), company: slug }])
    await exclude(stage.team, [entry])
    const ways = [
      slug,
      `https://de.linkedin.com/company/${slug}/`,
      number,
      name,
      `  ${name.toUpperCase()}`,
      `Á\ufe0f${name.slice(1)}`,
      `https://${slug}.example.com/about`,
    ]
    await expectLeftOut(
      stage,
      ways.map((one) => ({ company: one })),
      [{ company: `${name} of somebody else` }, { company: 'Other' }],
    )
  }
})

it.each<[Entry, string, string]>([
  [{ kind: 'company', value: 'never-seen-inc' }, 'Never Seen Inc', 'Never Seen Incx'],
  [
    { kind: 'domain', value: 'never-seen.example.com' },
    'https://www.never-seen.example.com/about',
    'https://www.never-seen.example.comx/about',
  ],
])('a company that nobody has met is recognised by what %j says [EXC-08]', async (entry, company, other) => {
  const stage = await connect(world)
  await exclude(stage.team, [entry])
  await expectLeftOut(stage, [{ company }], [{ company: other }])
})

it('a title and a mail address are recognised with what nobody sees in them [EXC-08]', async () => {
  const stage = await connect(world)
  await exclude(stage.team, [
    { kind: 'title', value: 'intern' },
    { kind: 'email', value: 'jane@own.example' },
  ])
  await expectLeftOut(
    stage,
    [
      { jobTitle: 'Chief In\u2064tern' },
      { jobTitle: `${'長'.repeat(240)} intern` },
      { email: 'ja\u034fne@own.example' },
      { email: 'jane＠own.example\u{e0041}' },
    ],
    [{ jobTitle: 'Internal audit' }],
  )
})

it('a mail address and a domain are recognised in their own letters and as they are sent [EXC-07, EXC-08]', async () => {
  const stage = await connect(world)
  await exclude(stage.team, [
    { kind: 'email', value: 'jane@münchen.example' },
    { kind: 'email', value: 'joe@xn--mnchen-3ya.example.' },
    { kind: 'email', value: '"jim"@own.example' },
    { kind: 'email', value: 'mailto:jo%2Bann@own.example' },
    { kind: 'domain', value: 'köln.example' },
  ])
  const mails = [
    'jane@xn--mnchen-3ya.example',
    'jane@mu\u0308nchen.example',
    'joe@MÜNCHEN.example',
    'x@köln.example',
    'jim@own.example',
    'jo+ann@own.example',
    'jim+crm@own.example',
    'x@mail.ko\u0308ln.example',
  ]
  await expectLeftOut(
    stage,
    mails.map((email) => ({ email })),
    [{ email: 'jane@munchen.example' }],
  )
})
