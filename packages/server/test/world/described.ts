/**
 * Checks every call of a world against the served API description with the validators of Prism's proxy, called in this process: a
 * proxy process would take seconds to start and double every call.
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { openApi } from '@les/contract'
import { area } from '../strangers/install.ts'

type Operation = { readonly id: string; readonly method: string; readonly path: string }
type Diagnostic = { readonly message: string; readonly path?: readonly string[] }
type Verdict = { readonly _tag: 'Left'; readonly left: readonly Diagnostic[] } | { readonly _tag: 'Right' }
type Validate = (asked: { readonly resource: Operation; readonly element: object }) => Verdict

/** Checks calls against the API description. */
export type Judge = {
  readonly fetch: typeof fetch
  readonly violations: string[]
}

type Route = { readonly operation: Operation; readonly pattern: RegExp; readonly isLiteral: boolean }

/** Spellings of filter columns and operators (`job_title`, `atMost`) that the API accepts but does not describe. */
const otherSpelling = /rules\.\d+\.(?:column|operator) must be equal to one of the allowed values/

let known: Promise<{ routes: readonly Route[]; input: Validate; output: Validate }> | undefined

async function load() {
  const require = createRequire(join(area, 'package.json'))
  const prism = require('@stoplight/prism-http') as {
    getHttpOperationsFromSpec(description: object): Promise<Operation[]>
  }
  const { validateInput, validateOutput } = require('@stoplight/prism-http/dist/validator') as {
    validateInput: Validate
    validateOutput: Validate
  }
  const operations = await prism.getHttpOperationsFromSpec(JSON.parse(JSON.stringify(openApi())) as object)
  const routes = operations.map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    isLiteral: !operation.path.includes('{'),
  }))
  // Literal paths win over paths with parameters.
  return {
    routes: routes.toSorted((a, b) => Number(b.isLiteral) - Number(a.isLiteral)),
    input: validateInput,
    output: validateOutput,
  }
}

const wordsOf = (verdict: Verdict): string[] =>
  verdict._tag === 'Left'
    ? verdict.left.map(({ message, path }) => `${message}${path ? ` (${path.join('.')})` : ''}`)
    : []

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Makes the judge of one world; the validators are loaded once per process. */
export async function openValidator(): Promise<Judge> {
  known ??= load()
  const { routes, input, output } = await known
  const violations: string[] = []
  const judge = (
    url: URL,
    method: string,
    sent: { headers: Headers; body: string | undefined },
    answer: Response,
    text: string,
  ) => {
    const route = routes.find(
      (each) => each.operation.method === method.toLowerCase() && each.pattern.test(url.pathname),
    )
    if (!route) return
    const { operation: resource } = route
    const found = wordsOf(
      output({
        resource,
        element: {
          statusCode: answer.status,
          headers: Object.fromEntries(answer.headers),
          ...(text === '' ? {} : { body: parsed(text) }),
        },
      }),
    )
    // A refused request may be invalid on purpose; an accepted one must match the description.
    if (answer.status < 300)
      found.push(
        ...wordsOf(
          input({
            resource,
            element: {
              method: method.toLowerCase(),
              url: { path: url.pathname, query: Object.fromEntries(url.searchParams) },
              headers: Object.fromEntries(sent.headers),
              ...(sent.body === undefined || sent.body === '' ? {} : { body: parsed(sent.body) }),
            },
          }),
        ).filter((words) => !otherSpelling.test(words)),
      )
    for (const words of found)
      violations.push(
        `${method} ${url.pathname}${url.search} ${answer.status}: ${words}; sent ${sent.body ?? 'nothing'}; answered ${text.slice(0, 500)}`,
      )
  }
  const watched = async (asked: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const answer = await fetch(asked, init)
    const copy = answer.clone()
    const headers = new Headers(init.headers)
    judge(
      new URL(asked instanceof Request ? asked.url : asked),
      init.method ?? 'GET',
      { headers, body: typeof init.body === 'string' ? init.body : undefined },
      answer,
      await copy.text(),
    )
    return answer
  }
  return { fetch: watched as typeof fetch, violations }
}
