/** `les api`: any request, for what has no command or a body that is at hand. */
import { basePath } from '@les/contract'
import { Command, InvalidArgumentError } from 'commander'
import { exitCodeOf, exitCodes } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import type { Io } from '../io.ts'
import { printRaw } from '../output/print.ts'
import { openSession, type GlobalOptions } from '../session.ts'
import { examplesHelp } from './examples.ts'

type Pair = readonly [name: string, value: unknown]

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** `k=v`: true, false, null and numbers are themselves, everything else is text. */
function parsePair(text: string, previous: readonly Pair[] = []): readonly Pair[] {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('must be name=value')
  const value = text.slice(at + 1)
  const typed: unknown = /^(?:true|false|null|-?(?:0|[1-9]\d{0,14})(?:\.\d+)?)$/.test(value) ? JSON.parse(value) : value
  return [...previous, [text.slice(0, at), typed]]
}

/** Puts a path below `/api/v1`, whether it was written with that or without; never another host. */
function pathBelowApi(path: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(path)) throw new Failure(exitCodes.usage, 'give the path alone, for example /credits: the address of the service is --base-url')
  const rooted = path.startsWith('/') ? path : `/${path}`
  return rooted === basePath || rooted.startsWith(`${basePath}/`) ? rooted : `${basePath}${rooted}`
}

function requestOf(method: string, path: string, pairs: readonly Pair[], body: string | undefined): { path: string; body: string | undefined } {
  const below = pathBelowApi(path)
  if (method === 'GET' || method === 'DELETE') {
    if (body !== undefined) throw new Failure(exitCodes.usage, `${method} takes no --body`)
    const search = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString()
    return { path: search === '' ? below : `${below}${below.includes('?') ? '&' : '?'}${search}`, body: undefined }
  }
  if (body !== undefined && pairs.length > 0) throw new Failure(exitCodes.usage, 'send either --field or --body')
  return { path: below, body: body ?? JSON.stringify(Object.fromEntries(pairs)) }
}

/** Makes the raw command: prints every answer just as it came, refusals too. */
export function apiCommand(io: Io): Command {
  const command = new Command('api').summary('Send any request').description('Sends any request and prints the answer just as it came.')
  command.argument('<method>', methods.join(', ')).argument('<path>', `below ${basePath}, or with it`)
  command.option('--field <name=value>', 'A query parameter of GET and DELETE, else a body field; again for more.', parsePair)
  command.option('--body <json>', 'The whole body; sent as it is.')
  command.option('--show-secret', 'Show signing secrets instead of masking them.')
  command.addHelpText('before', examplesHelp(['les api GET /leads --field limit=10', 'les api POST /enrich/profile --field username=jane-doe --field saveTrackedProfile=true', `les api PUT /profile/jane-doe/webhook --body '{"webhookUrl":null}'`]))
  return command.action(async (givenMethod: string, givenPath: string, given: { field?: readonly Pair[]; body?: string }) => {
    const method = givenMethod.toUpperCase()
    if (!methods.includes(method)) throw new Failure(exitCodes.usage, `${givenMethod} is no method of the interface: use ${methods.join(', ')}`)
    const { path, body } = requestOf(method, givenPath, given.field ?? [], given.body)
    const options = command.optsWithGlobals<GlobalOptions>()
    const answer = await openSession(options, io).send(method, path, body)
    printRaw(answer, options, io)
    if (answer.status < 200 || answer.status > 299) throw refusalOf(answer)
  })
}

function refusalOf({ status, text }: { status: number; text: string }): Failure {
  let body: { error?: unknown; code?: unknown } | null = null
  try {
    body = JSON.parse(text) as { error?: unknown; code?: unknown } | null
  } catch {
    // The message below will do.
  }
  const code = typeof body?.code === 'string' ? body.code : undefined
  return new Failure(exitCodeOf(status, code), typeof body?.error === 'string' ? body.error : `HTTP ${status}`)
}
