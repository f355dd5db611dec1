import { deliveryHeaders, runState, stopWord } from '@les/contract'
import { entryOf } from '../catalogue/load.ts'
import type { Given } from '../commands/own-command.ts'
import { exitCodes } from '../exit-codes.ts'
import { Failure, usage } from '../failure.ts'
import { printNote, type Shell } from '../options.ts'
import { colorsFor, plain } from '../output/text.ts'
import { openPerson } from '../person.ts'
import type { Session } from '../session.ts'
import { repeat } from '../wait.ts'
import { signedHeaders, verify, type Message, type Verdict } from './delivery.ts'
import { openReceiver } from './receiver.ts'
import { findSecret, type SecretOptions } from './secret.ts'

type Options = SecretOptions & {
  readonly port: number
  readonly forwardTo?: string
  readonly count?: number
  readonly hosted?: boolean
  readonly source?: string
}

const forwardTimeoutMs = 15_000
/** Headers of the connection, which are not forwarded. */
const hopHeaders = ['connection', 'host', 'content-length', 'transfer-encoding', 'keep-alive', 'expect', 'upgrade']

type Payload = {
  readonly sample?: unknown
  readonly source?: { readonly username?: unknown }
  readonly lead?: { readonly name?: unknown; readonly engagementType?: unknown }
  readonly post?: { readonly url?: unknown }
  readonly sync?: { readonly state?: unknown; readonly stoppedBy?: unknown }
}

function about({ sample, lead, post, sync, source }: Payload): string {
  const stoppedBy = typeof sync?.stoppedBy === 'string' ? sync.stoppedBy : null
  const ended = sync && !lead && !post ? [runState(String(sync.state)).text.toLowerCase(), stopWord(stoppedBy)] : []
  const subject = lead ? [lead.name, lead.engagementType] : post ? [post.url] : ended
  return [sample === true ? 'SAMPLE' : '', ...subject, source?.username]
    .filter((part) => part !== null && part !== undefined && part !== '')
    .join(' · ')
}

async function forward({ headers, body }: Message, address: URL, shell: Shell): Promise<number> {
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !hopHeaders.includes(name)))
  try {
    const response = await shell.fetch(address, {
      method: 'POST',
      headers: kept,
      body: new Uint8Array(body),
      redirect: 'manual',
      signal: AbortSignal.any([shell.signal, AbortSignal.timeout(forwardTimeoutMs)]),
    })
    await response.arrayBuffer()
    return response.status
  } catch (error) {
    printNote(
      shell,
      `les: ${address.href} did not answer: ${plain(String((error as Error).cause ?? (error as Error).message))}`,
    )
    return 502
  }
}

type Received = { readonly verdict: Verdict; readonly message: Message; readonly forwarded: number | undefined }

function show({ verdict, message: { body, headers }, forwarded }: Received, options: Options, shell: Shell): void {
  const event: unknown = verdict.ok ? JSON.parse(body.toString('utf8')) : undefined
  if (options.json !== undefined) {
    const refused = verdict.ok ? {} : { problem: verdict.problem, message: verdict.message }
    const shown = { verified: verdict.ok, ...refused, ...(forwarded === undefined ? {} : { forwarded }), event }
    shell.stdout.write(`${JSON.stringify(shown)}\n`)
    return
  }
  const { green, red } = colorsFor(shell.stdout, shell.env)
  const cells = verdict.ok
    ? [
        green('verified'),
        ...[verdict.event, verdict.id, about(event as Payload)].map(plain),
        ...(forwarded === undefined ? [] : [`forwarded ${forwarded}`]),
      ]
    : [
        red('not verified'),
        plain(headers[deliveryHeaders.event.toLowerCase()] ?? '-'),
        `${verdict.problem.replaceAll('_', ' ')}: ${plain(verdict.message)}`,
      ]
  shell.colouredStdout.write(`${[new Date(shell.now()).toISOString().slice(11, 19), ...cells].join('\t')}\n`)
}

function addressOf(text: string | undefined): URL | undefined {
  if (text === undefined) return undefined
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) throw usage('--forward-to must be an http or https address')
  return url
}

/** `payload`: the signed bytes. */
type Made = {
  readonly delivery: { readonly id: string; readonly event: string; readonly state: string }
  readonly payload: string | null
}

const pollMs = 2_000
const pageSize = 50
const maxFailures = 30

/**
 * Polls for deliveries made from now on, in order, and signs each with the team's secret, until `done` aborts. Rejects when the
 * service refuses, or does not answer for a minute.
 */
async function followDeliveries(
  { session, secret, options, shell }: { session: Session; secret: string; options: Options; shell: Shell },
  onDelivery: (message: Message) => Promise<void>,
  done: AbortSignal,
): Promise<void> {
  const input = { limit: pageSize, ...(options.source === undefined ? {} : { ownerId: options.source }) }
  const list = async (): Promise<{ id: string }[]> =>
    ((await session.call(entryOf('listDeliveries'), input)).value as { deliveries: { id: string }[] }).deliveries
  const seen = new Set((await list()).map(({ id }) => id))
  const readNew = async (): Promise<boolean> => {
    for (const { id } of (await list()).reverse()) {
      if (seen.has(id) || done.aborted) continue
      const { delivery, payload } = (await session.call(entryOf('getDelivery'), { id })).value as unknown as Made
      // The payload exists once it is first sent; poll again. Excluded people are not delivered to this machine either.
      if (payload === null || delivery.state === 'excluded') continue
      seen.add(id)
      const body = Buffer.from(payload)
      await onDelivery({ headers: signedHeaders(secret, { ...delivery, body }, Math.floor(shell.now() / 1000)), body })
    }
    return false
  }
  await repeat(readNew, { shell, pauseMs: pollMs, maxFailures, done })
}

const tooLate = (count: number, { timeout }: Options) =>
  new Failure(exitCodes.jobFailed, `${count} verified events in ${timeout} s`)

/** Shows deliveries by polling the service, so that it need not reach this machine. */
async function listenHosted({ options, shell }: Given<Options>, target: URL | undefined): Promise<void> {
  const session = openPerson(options, shell)
  printNote(shell, `Showing deliveries of ${session.baseUrl} as they are made, whatever their address; Ctrl-C ends it.`)
  const secret = await findSecret(options, shell)
  const done = new AbortController()
  const late = options.timeout === undefined ? undefined : AbortSignal.timeout(options.timeout * 1000)
  let shown = 0
  await followDeliveries(
    { session, secret, options, shell },
    async (message) => {
      const verdict = verify(message, { secret, nowMs: shell.now(), knownSecret: secret })
      const forwarded = target ? await forward(message, target, shell) : undefined
      show({ verdict, message, forwarded }, options, shell)
      if (++shown === options.count) done.abort()
    },
    AbortSignal.any([done.signal, shell.signal, ...(late ? [late] : [])]),
  )
  if (late?.aborted && !done.signal.aborted) throw tooLate(shown, options)
}

/** Listens until Ctrl-C or until `--count` events have verified; exit code 8 when `--timeout` passes first. */
export async function listen(given: Given<Options>): Promise<void> {
  const { options, shell } = given
  const target = addressOf(options.forwardTo)
  if (options.hosted) return await listenHosted(given, target)
  const secret = await findSecret(options, shell)
  const done = Promise.withResolvers<void>()
  let verified = 0
  const receiver = await openReceiver(options.port, async (message) => {
    const verdict = verify(message, { secret, nowMs: shell.now(), knownSecret: secret })
    const forwarded = verdict.ok && target ? await forward(message, target, shell) : undefined
    show({ verdict, message, forwarded }, options, shell)
    if (verdict.ok && ++verified === options.count) done.resolve()
    return verdict.ok ? (forwarded ?? 200) : 400
  })
  printNote(shell, `Listening on ${receiver.url}${target ? `, forwarding to ${target.href}` : ''}; Ctrl-C ends it.`)
  printNote(
    shell,
    `Send a source there: les sources webhook set <id> --webhook-url ${receiver.url} (the service must run with ` +
      'LES_ALLOW_PRIVATE_DESTINATIONS=1; elsewhere use --hosted)',
  )
  shell.signal.addEventListener('abort', () => done.resolve(), { once: true })
  const late = options.timeout === undefined ? undefined : AbortSignal.timeout(options.timeout * 1000)
  late?.addEventListener('abort', () => done.reject(tooLate(verified, options)), { once: true })
  try {
    await done.promise
  } finally {
    // Let the answer to the last delivery be sent before the connection closes.
    await new Promise((resolve) => setImmediate(resolve))
    await receiver.close()
  }
}
