import { randomBytes } from 'node:crypto'
import { catalogue, entryOf } from '../catalogue/load.ts'
import { exitCodes } from '../exit-codes.ts'
import { causeOf, Failure, isApiError } from '../failure.ts'
import type { GlobalOptions, Shell } from '../options.ts'
import { align, colorsFor, plain } from '../output/text.ts'
import { configPath, looseness } from '../profiles.ts'
import { findAccess, sessionWith, type Access, type Session } from '../session.ts'
import type { Given } from './own-command.ts'

/** `skipped`: the check needs another one that failed. */
export type Check = {
  readonly check: string
  readonly state: 'ok' | 'warning' | 'failed' | 'skipped'
  readonly detail: string
}

/** TypeScript sources in a checkout need a newer Node than the bundled file that customers install. */
const oldestNode = import.meta.url.endsWith('.ts') ? '24.0.0' : '20.12.0'
const skewLimitSeconds = 60
const waitLimitMs = 10_000

type Health = {
  readonly reached: boolean
  readonly check: Check
  readonly date?: string | null
  readonly receivedAtMs?: number
  readonly body?: { status?: string; database?: string; sandbox?: boolean }
}

const inState =
  (state: Check['state']) =>
  (check: string, detail: string): Check => ({ check, state, detail })
const [ok, warning] = [inState('ok'), inState('warning')]
const [failed, skipped] = [inState('failed'), inState('skipped')]

function checkNode(): Check {
  const { node } = process.versions
  return node.localeCompare(oldestNode, 'en', { numeric: true }) >= 0
    ? ok('node', `Node ${node}`)
    : failed('node', `Node ${node}: ${oldestNode} or later is needed`)
}

function checkConfig(shell: Shell): Check {
  const loose = looseness(shell.env)
  return loose ? failed('config', loose) : ok('config', `${configPath(shell.env)} is for you alone, or not there`)
}

async function reach({ baseUrl }: Access, shell: Shell): Promise<Health> {
  try {
    const response = await shell.fetch(new URL('/readyz', baseUrl), {
      redirect: 'manual',
      signal: AbortSignal.any([shell.signal, AbortSignal.timeout(waitLimitMs)]),
    })
    const body = (await response.json().catch(() => ({}))) as NonNullable<Health['body']>
    const rest = { reached: true, date: response.headers.get('date'), receivedAtMs: shell.now(), body }
    if (response.status === 200) return { ...rest, check: ok('service', `${baseUrl} is ready`) }
    const why = body.database ? `, its database is ${body.database}` : ': is it the right address?'
    return { ...rest, check: failed('service', `${baseUrl} answers ${response.status}${why}`) }
  } catch (error) {
    return { reached: false, check: failed('service', `${baseUrl} cannot be reached (${causeOf(error)})`) }
  }
}

function checkClock({ reached, date, receivedAtMs }: Health): Check {
  if (!reached || !date || receivedAtMs === undefined) return skipped('clock', 'the service told no time')
  // The header has whole seconds only.
  const skew = Math.round((receivedAtMs - Date.parse(date)) / 1000)
  if (Math.abs(skew) <= skewLimitSeconds) return ok('clock', `${Math.abs(skew)} s apart from the service`)
  return failed(
    'clock',
    `this clock is ${Math.abs(skew)} s ${skew > 0 ? 'ahead of' : 'behind'} the service: ` +
      'at 300 s receivers refuse every webhook; set the clock by NTP',
  )
}

async function checkKey(session: Session, keyFrom: string): Promise<Check[]> {
  try {
    const { value, raw } = await session.call(entryOf('getCredits'), {})
    const { balance, plan, nextReset } = value as { balance: number; plan: string; nextReset: string }
    const [left, limit] = [raw.headers.get('x-ratelimit-remaining'), raw.headers.get('x-ratelimit-limit')]
    const calls = left === null ? '' : `, ${left} of ${limit} reads left this minute`
    const quota = `${balance} credits on plan ${plan}, next reset ${nextReset}${calls}`
    return [
      ok('key', `valid, from ${keyFrom}`),
      balance > 0 ? ok('quota', quota) : warning('quota', `${quota}: nothing is captured without credits`),
    ]
  } catch (error) {
    const why = isApiError(error) ? `${error.status} ${error.message}` : (error as Error).message
    return isApiError(error) && error.status === 403
      ? [ok('key', 'valid'), failed('quota', why)]
      : [failed('key', why), skipped('quota', 'the key must work first')]
  }
}

type SourceRow = {
  readonly id: string
  readonly username: string
  readonly status: string
  readonly lastRun?: { readonly stoppedBy: string | null }
}

function checkVendors(sources: readonly SourceRow[], { body }: Health): Check {
  const active = sources.filter(({ status }) => status === 'active')
  const broken = active.filter(({ lastRun }) => lastRun?.stoppedBy === 'error' || lastRun?.stoppedBy === 'ai_error')
  const world = body?.sandbox === true ? 'sandbox network: every person is invented; ' : ''
  if (broken.length === 0) return ok('vendors', `${world}no active source stopped for an error in its last run`)
  const names = broken.slice(0, 3).map(({ username }) => username)
  return warning(
    'vendors',
    `${world}${broken.length} of ${active.length} active sources stopped for an error in their last run: ${names.join(', ')}`,
  )
}

async function checkRoundTrip(secret: string | undefined, shell: Shell): Promise<Check> {
  const [{ openReceiver }, { sampleOf }, { signedHeaders, verify }] = await Promise.all([
    import('../webhooks/receiver.ts'),
    import('../webhooks/trigger.ts'),
    import('../webhooks/delivery.ts'),
  ])
  const key = secret ?? `whsec_${randomBytes(32).toString('base64')}`
  const sample = await sampleOf('lead.detected', shell.newId(), shell.now())
  const verdicts: string[] = []
  const receiver = await openReceiver(0, async (message) => {
    const verdict = verify(message, { secret: key, nowMs: shell.now() })
    verdicts.push(verdict.ok ? 'ok' : verdict.message)
    return verdict.ok ? 200 : 400
  })
  try {
    const response = await shell.fetch(receiver.url, {
      method: 'POST',
      headers: signedHeaders(key, sample, Math.floor(shell.now() / 1000)),
      body: new Uint8Array(sample.body),
      signal: AbortSignal.any([shell.signal, AbortSignal.timeout(waitLimitMs)]),
    })
    await response.arrayBuffer()
    if (response.status !== 200) return failed('webhooks', verdicts[0] ?? `the listener answered ${response.status}`)
    return ok(
      'webhooks',
      `a sample signed with ${secret ? "your team's secret" : 'a secret made up for this (nothing is tracked yet)'} ` +
        'came back verified; for real events on this machine the service needs LES_ALLOW_PRIVATE_DESTINATIONS=1',
    )
  } catch (error) {
    return failed('webhooks', `a listener on 127.0.0.1 cannot be reached: ${(error as Error).message}`)
  } finally {
    await receiver.close()
  }
}

async function readSources(
  session: Session,
): Promise<{ sources: readonly SourceRow[]; secret: string | undefined } | undefined> {
  try {
    const { sources } = (await session.call(entryOf('listSources'), {})).value as { sources: readonly SourceRow[] }
    const source = sources.find(({ status }) => status === 'active')
    const webhook = source && (await session.call(entryOf('getSourceWebhook'), { id: source.id })).value
    return { sources, secret: webhook?.signingSecret as string | undefined }
  } catch {
    return undefined
  }
}

/** All checks, each after those it depends on. */
async function allChecks(options: GlobalOptions, shell: Shell): Promise<Check[]> {
  const access = findAccess(options, shell.env)
  const health = await reach(access, shell)
  const checks = [
    ok('version', `les ${catalogue.version}, interface ${catalogue.version}`),
    checkNode(),
    checkConfig(shell),
    health.check,
    checkClock(health),
  ]
  const { apiKey, baseUrl, keyFrom, profile } = access
  const session = apiKey === undefined || !health.reached ? undefined : sessionWith({ baseUrl, apiKey, options }, shell)
  const ofKey = session
    ? await checkKey(session, keyFrom === 'profile' ? `profile ${profile}` : 'LES_API_KEY')
    : [
        apiKey === undefined
          ? failed('key', 'there is none: les auth login, or LES_API_KEY')
          : skipped('key', 'the service must be reached first'),
        skipped('quota', 'a key that works is needed'),
      ]
  const read = session && ofKey[0]!.state === 'ok' ? await readSources(session) : undefined
  checks.push(...ofKey, read ? checkVendors(read.sources, health) : skipped('vendors', 'a key that works is needed'))
  checks.push(await checkRoundTrip(read?.secret, shell))
  return checks
}

/** Runs and shows the checks; exits with 1 when one failed. */
export async function doctor({ options, shell }: Given): Promise<void> {
  const checks = await allChecks(options, shell)
  const broken = checks.filter(({ state }) => state === 'failed')
  if (options.json !== undefined) shell.stdout.write(`${JSON.stringify({ ok: broken.length === 0, checks })}\n`)
  else {
    const { green, yellow, red, dim } = colorsFor(shell.stdout, shell.env)
    const colors = { ok: green, warning: yellow, failed: red, skipped: dim }
    const rows = checks.map(({ check, state, detail }) => [state, check, plain(detail)])
    const text = shell.stdout.isTty ? align(rows, 400) : rows.map((row) => `${row.join('\t')}\n`).join('')
    shell.colouredStdout.write(
      text.replace(/^(?:ok|warning|failed|skipped)/gm, (state) => colors[state as Check['state']](state)),
    )
  }
  if (broken.length > 0)
    throw new Failure(
      exitCodes.api,
      `${broken.length} of ${checks.length} checks failed: ${broken.map(({ check }) => check).join(', ')}`,
    )
}
