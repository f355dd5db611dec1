import { parseHeaderLines } from '@les/contract'
import type { Given } from '../commands/own-command.ts'
import { exitCodes } from '../exit-codes.ts'
import { Failure, readFile, usage } from '../failure.ts'
import type { Shell } from '../options.ts'
import { parseRequest, verify, type Message, type Verdict } from './delivery.ts'
import { findSecret, givenSecret, secretOfService, type SecretOptions } from './secret.ts'

type Options = SecretOptions & { readonly headers?: string; readonly body?: string; readonly at?: string }

async function readMessage({ headers, body }: Options, shell: Shell): Promise<Message> {
  if (headers !== undefined && body !== undefined)
    return { headers: parseHeaderLines(readFile(headers).toString('utf8')), body: readFile(body) }
  if (headers !== undefined || body !== undefined)
    throw usage('give both --headers and --body, or the whole request on standard input')
  if (shell.stdin.isTty) shell.stderr.write('Paste the headers, an empty line and the exact body; end with Ctrl-D.\n')
  const message = parseRequest(await shell.stdin.read())
  if (Object.keys(message.headers).length === 0)
    throw usage('there are no headers on standard input: headers first, one a line, then an empty line, then the body')
  return message
}

function instant(text: string | undefined, shell: Shell): number {
  if (text === undefined) return shell.now()
  const at = /^\d{9,11}$/.test(text) ? Number(text) * 1000 : Date.parse(text)
  if (Number.isNaN(at)) throw usage('--at must be an ISO 8601 date-time, or seconds since 1970')
  return at
}

/** On a mismatch, compares with the service's own secret; an unreachable service is ignored. */
async function judge(message: Message, options: Options, shell: Shell): Promise<Verdict> {
  const nowMs = instant(options.at, shell)
  const given = givenSecret(options, shell.env)
  const secret = given ?? (await findSecret(options, shell))
  const verdict = verify(message, { secret, nowMs, ...(given === undefined ? { knownSecret: secret } : {}) })
  if (verdict.ok || verdict.problem !== 'signature_mismatch') return verdict
  const knownSecret = await secretOfService(options, shell).catch(() => undefined)
  return verify(message, { secret, nowMs, knownSecret })
}

/** `les webhooks verify`: exits with 1 and the reason when a delivery is not genuine. */
export async function verifyCommand({ options, shell }: Given<Options>): Promise<void> {
  const verdict = await judge(await readMessage(options, shell), options, shell)
  if (options.json !== undefined) shell.stdout.write(`${JSON.stringify(verdict)}\n`)
  else if (verdict.ok) shell.stdout.write(`verified\t${verdict.event}\t${verdict.id}\n`)
  if (!verdict.ok) throw new Failure(exitCodes.api, `${verdict.problem.replaceAll('_', ' ')}: ${verdict.message}`)
}
