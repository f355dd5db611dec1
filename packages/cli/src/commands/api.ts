import { Command, InvalidArgumentError } from 'commander'
import { catalogue } from '../catalogue/load.ts'
import { exitCodeOf } from '../exit-codes.ts'
import { Failure, readFile, usage } from '../failure.ts'
import type { GlobalOptions, Shell } from '../options.ts'
import { printRaw } from '../output/print.ts'
import { maskSecrets } from '../output/secrets.ts'
import { openSession } from '../session.ts'
import { examplesHelp } from '../topics.ts'

type Pair = readonly [name: string, value: unknown]

const { basePath } = catalogue

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Parses `k=v`: true, false, null and numbers become JSON values, anything else stays text. */
function parsePair(text: string, previous: readonly Pair[] = []): readonly Pair[] {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('must be name=value')
  const value = text.slice(at + 1)
  const typed: unknown = /^(?:true|false|null|-?(?:0|[1-9]\d{0,14})(?:\.\d+)?)$/.test(value) ? JSON.parse(value) : value
  return [...previous, [text.slice(0, at), typed]]
}

/** Adds `/api/v1` unless present; refuses full URLs, so that the key never goes to another host. */
function pathBelowApi(path: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(path))
    throw usage('give the path alone, for example /credits: the address of the service is --base-url')
  const rooted = path.startsWith('/') ? path : `/${path}`
  return rooted === basePath || rooted.startsWith(`${basePath}/`) ? rooted : `${basePath}${rooted}`
}

function requestOf(
  method: string,
  path: string,
  { pairs, body }: { readonly pairs: readonly Pair[]; readonly body: string | undefined },
): { path: string; body: string | undefined } {
  const below = pathBelowApi(path)
  if (method === 'GET' || method === 'DELETE') {
    if (body !== undefined) throw usage(`${method} takes no --body`)
    const search = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString()
    return { path: search === '' ? below : `${below}${below.includes('?') ? '&' : '?'}${search}`, body: undefined }
  }
  if (body !== undefined && pairs.length > 0) throw usage('send either --field or --body')
  return { path: below, body: body ?? JSON.stringify(Object.fromEntries(pairs)) }
}

async function readBody(given: string | undefined, shell: Shell): Promise<string | undefined> {
  if (given === '-') return (await shell.stdin.read()).toString('utf8')
  return given?.startsWith('@') ? readFile(given.slice(1)).toString() : given
}

/** Prints every answer unchanged, refusals included. */
export function apiCommand(shell: Shell): Command {
  const command = new Command('api')
    .summary('Send any request')
    .description('Sends any request and prints the response unchanged.')
  command.argument('<method>', methods.join(', ')).argument('<path>', `below ${basePath}, or with it`)
  command.option(
    '--field <name=value>',
    'A query parameter for GET and DELETE, otherwise a body field; repeat for more.',
    parsePair,
  )
  command.option(
    '--body <json>',
    'The whole body, sent unchanged. Use @file to read a file, or - to read standard input.',
  )
  command.option('--show-secret', 'Show signing secrets instead of masking them.')
  command.addHelpText(
    'before',
    examplesHelp([
      'les api GET /leads --field limit=10',
      'les api POST /enrich/profile --field username=jane-doe --field saveTrackedProfile=true',
      `les api PUT /profile/jane-doe/webhook --body '{"webhookUrl":null}'`,
      'les api PUT /profile/jane-doe/icp --body @criteria.json',
    ]),
  )
  return command.action(
    async (givenMethod: string, givenPath: string, given: { field?: readonly Pair[]; body?: string }) => {
      const method = givenMethod.toUpperCase()
      if (!methods.includes(method))
        throw usage(`${givenMethod} is no method of the interface: use ${methods.join(', ')}`)
      const { path, body } = requestOf(method, givenPath, {
        pairs: given.field ?? [],
        body: await readBody(given.body, shell),
      })
      const options = command.optsWithGlobals<GlobalOptions>()
      if (options.json) throw usage('les api prints answers as they are: choose fields with --jq')
      const filter = options.jq
      const jq = filter === undefined ? undefined : await import('../output/jq.ts')
      await jq?.checkFilter(filter!)
      const answer = await openSession(options, shell).send(method, path, body)
      const shown = options.showSecret ? answer.text : maskSecrets(answer.text)
      if (jq && answer.status < 300) shell.stdout.write(`${await jq.runFilter(shown, filter!)}\n`)
      else printRaw(answer.text, options, shell)
      if (answer.status < 200 || answer.status > 299) throw refusalOf(answer)
    },
  )
}

function refusalOf({ status, text }: { status: number; text: string }): Failure {
  let body: { error?: unknown; code?: unknown } | null = null
  try {
    body = JSON.parse(text) as { error?: unknown; code?: unknown } | null
  } catch {
    // Falls through to the generic message.
  }
  const code = typeof body?.code === 'string' ? body.code : undefined
  return new Failure(exitCodeOf(status, code), typeof body?.error === 'string' ? body.error : `HTTP ${status}`)
}
