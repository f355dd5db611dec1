/** `les webhooks listen`: receives deliveries on this machine, verifies and shows them, and passes them on where asked. */
import { runState, stopWord } from '@les/contract'
import type { Given } from '../commands/own-command.ts'
import { exitCodes } from '../exit-codes.ts'
import { Failure, usage } from '../failure.ts'
import { printNote, type Shell } from '../options.ts'
import { colorsFor, plain } from '../output/text.ts'
import type { Message } from './message.ts'
import { openReceiver } from './receiver.ts'
import { findSecret, type SecretOptions } from './secret.ts'
import { verify, type Verdict } from './verify.ts'

type Options = SecretOptions & {
  readonly port: number
  readonly forwardTo?: string
  readonly count?: number
  readonly hosted?: boolean
  readonly source?: string
}

const forwardTimeoutMs = 15_000
/** Headers of one hop: they are of the connection, not of the delivery. */
const hopHeaders = ['connection', 'host', 'content-length', 'transfer-encoding', 'keep-alive', 'expect', 'upgrade']

type Payload = {
  readonly sample?: unknown
  readonly source?: { readonly username?: unknown }
  readonly lead?: { readonly name?: unknown; readonly engagementType?: unknown }
  readonly post?: { readonly url?: unknown }
  readonly sync?: { readonly state?: unknown; readonly stoppedBy?: unknown }
}

/** What an event is about, in a few words. */
function about(payload: Payload): string {
  const { lead, post, sync, source } = payload
  const subject = lead
    ? [lead.name, lead.engagementType]
    : post
      ? [post.url]
      : sync
        ? [
            runState(String(sync.state)).text.toLowerCase(),
            stopWord(typeof sync.stoppedBy === 'string' ? sync.stoppedBy : null),
          ]
        : []
  return [payload.sample === true ? 'SAMPLE' : '', ...subject, source?.username]
    .filter((part) => part !== null && part !== undefined && part !== '')
    .map(String)
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

/** A delivery that came in, what its check says, and the status of the address it was forwarded to. */
type Received = { readonly verdict: Verdict; readonly message: Message; readonly forwarded: number | undefined }

function show({ verdict, message, forwarded }: Received, options: Options, shell: Shell): void {
  const { body, headers } = message
  if (options.json !== undefined) {
    const payload: unknown = verdict.ok ? JSON.parse(body.toString('utf8')) : undefined
    const event = {
      verified: verdict.ok,
      ...(verdict.ok ? {} : { problem: verdict.problem, message: verdict.message }),
      ...(forwarded === undefined ? {} : { forwarded }),
      event: payload,
    }
    shell.stdout.write(`${JSON.stringify(event)}\n`)
    return
  }
  const { green, red } = colorsFor(shell.stdout, shell.env)
  const time = new Date(shell.now()).toISOString().slice(11, 19)
  const cells = verdict.ok
    ? [
        green('verified'),
        plain(verdict.event),
        plain(verdict.id),
        plain(about(JSON.parse(body.toString('utf8')) as Payload)),
        ...(forwarded === undefined ? [] : [`forwarded ${forwarded}`]),
      ]
    : [
        red('not verified'),
        plain(headers['x-service-event'] ?? '-'),
        `${verdict.problem.replaceAll('_', ' ')}: ${plain(verdict.message)}`,
      ]
  shell.painted.write(`${[time, ...cells].join('\t')}\n`)
}

function addressOf(text: string | undefined): URL | undefined {
  if (text === undefined) return undefined
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) throw usage('--forward-to must be an http or https address')
  return url
}

/** The same for a service anywhere: deliveries are asked for, and nothing has to reach this machine. */
async function listenHosted({ options, shell }: Given<Options>, target: URL | undefined): Promise<void> {
  const { followDeliveries, openHosted } = await import('./hosted.ts')
  const session = openHosted(options, shell)
  const secret = await findSecret(options, shell)
  const done = new AbortController()
  const late = options.timeout === undefined ? undefined : AbortSignal.timeout(options.timeout * 1000)
  const ends = AbortSignal.any([done.signal, shell.signal, ...(late ? [late] : [])])
  let shown = 0
  const parts = { shell, session, secret, sourceId: options.source }
  await followDeliveries(
    parts,
    async (message) => {
      const verdict = verify(message, { secret, nowMs: shell.now(), knownSecret: secret })
      const forwarded = target ? await forward(message, target, shell) : undefined
      show({ verdict, message, forwarded }, options, shell)
      if (++shown === options.count) done.abort()
    },
    ends,
  )
  if (late?.aborted && !done.signal.aborted)
    throw new Failure(exitCodes.jobFailed, `${shown} verified events in ${options.timeout} s`)
}

/** Listens until Ctrl-C, or until `--count` events have verified; ends with 8 when `--timeout` passes first. */
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
  late?.addEventListener(
    'abort',
    () => done.reject(new Failure(exitCodes.jobFailed, `${verified} verified events in ${options.timeout} s`)),
    { once: true },
  )
  try {
    await done.promise
  } finally {
    // The answer to the last delivery goes out before the connection does.
    await new Promise((resolve) => setImmediate(resolve))
    await receiver.close()
  }
}
