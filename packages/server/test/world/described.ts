/**
 * Every call of a world held against the description that is served, in the long run: the validators are Prism's, the same that its
 * proxy runs, called in this process. As a process before each world it would start for seconds and double every call.
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { openApi } from '@les/contract'
import { area } from '../strangers/install.ts'

type Operation = { readonly id: string; readonly method: string; readonly path: string }
type Diagnostic = { readonly message: string; readonly path?: readonly string[] }
type Verdict = { readonly _tag: 'Left'; readonly left: readonly Diagnostic[] } | { readonly _tag: 'Right' }
type Validate = (asked: { readonly resource: Operation; readonly element: object }) => Verdict

/** Watches calls. */
export type Judge = {
  /** `fetch`, whose calls are judged. */
  readonly fetch: typeof fetch
  /** What was found, one line each. */
  readonly violations: string[]
}

type Route = { readonly operation: Operation; readonly pattern: RegExp; readonly isLiteral: boolean }

/** What is taken although the description names one spelling only: columns and operators of filters (`job_title`, `atMost`). */
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
  // What is written out wins over what fits any word.
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

/** Makes the judge of one world. The validators are loaded once for all worlds of this process. */
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
    // What was refused may have been sent wrongly on purpose; what was taken has to be as it is described.
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
