import type { Entry } from '../catalogue/entry.ts'
import { entryOf } from '../catalogue/load.ts'
import { exitCodes } from '../exit-codes.ts'
import { Failure, usage } from '../failure.ts'
import type { Shell } from '../options.ts'
import { printAnswer } from '../output/print.ts'
import type { Json } from '../output/rows.ts'
import { openSession, type Session } from '../session.ts'
import type { Given } from './own-command.ts'

const single = (entry: Entry, value: Json): Entry => ({
  ...entry,
  answer: { ...entry.answer, fields: Object.keys(value), list: null, paged: false },
})

const printOne = (entry: Entry, value: Json, to: { session: Session; shell: Shell }): Promise<void> =>
  printAnswer(JSON.stringify(value), single(entry, value), { options: to.session.options, shell: to.shell })

async function sourcesOf(session: Session, input: Json): Promise<Json> {
  return (await session.call(entryOf('listSources'), input)).value
}

export async function showSource({ args, options, shell }: Given): Promise<void> {
  const session = openSession(options, shell)
  const id = args[0]!
  const { sources } = (await sourcesOf(session, { includeInactive: true })) as { sources: Json[] }
  const source = sources.find((one) => one.id === id || one.username === id)
  if (!source) throw new Failure(exitCodes.notFound, `the team tracks no source ${id}: les sources list names them`)
  const sync =
    source.status === 'active' ? (await session.call(entryOf('getSourceSync'), { id: source.id })).value : null
  await printOne(entryOf('listSources'), { ...source, sync }, { session, shell })
}

export async function listKeyword({ options, shell }: Given<{ readonly includeInactive?: boolean }>): Promise<void> {
  const session = openSession(options, shell)
  const includeInactive = options.includeInactive === true ? { includeInactive: true } : {}
  const listed = entryOf('listSources')
  const answer = await session.call(listed, { type: 'keyword', ...includeInactive })
  const columns = ['name', 'status', 'keywords', 'expression', 'creditCap', 'nextSyncAt', 'id']
  const searches = { ...listed, answer: { ...listed.answer, list: { ...listed.answer.list!, columns } } }
  await printAnswer(answer.raw.text, searches, { options: session.options, shell })
}

/** What the agent decided to track, and why. */
export async function showPlan({ options, shell }: Given<{ readonly agentId?: string }>): Promise<void> {
  const session = openSession(options, shell)
  const entry = entryOf('getAgent')
  const { agent } = (await session.call(entry, options.agentId === undefined ? {} : { agentId: options.agentId }))
    .value as {
    agent: { plan?: Json | null } | null
  }
  if (!agent?.plan)
    throw new Failure(exitCodes.notFound, 'there is no plan before the agent is started: les agent start')
  await printOne(entry, agent.plan, { session, shell })
}

type UsageOptions = { readonly from?: string; readonly to?: string; readonly by: string; readonly csv?: boolean }

export async function showUsage({ options, shell }: Given<UsageOptions>): Promise<void> {
  const session = openSession(options, shell)
  if (options.csv && (options.json !== undefined || options.jq !== undefined))
    throw usage('--csv goes with neither --json nor --jq')
  const entry = entryOf('getCreditsUsage')
  const { from, to, by } = options
  const answer = await session.call(entry, { ...(from ? { from } : {}), ...(to ? { to } : {}) })
  const name = by === 'source' ? 'bySource' : 'byDate'
  const fields = by === 'source' ? ['sourceId', 'type', 'label', 'credits'] : ['date', 'credits']
  const rows: Entry = { ...entry, answer: { ...entry.answer, list: { name, fields, plain: fields, columns: fields } } }
  const { byDate: _byDate, bySource: _bySource, ...totals } = answer.value
  await printAnswer(JSON.stringify({ ...totals, [name]: answer.value[name] }), rows, {
    options: session.options,
    shell,
  })
}
