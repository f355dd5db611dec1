import { exitCodes } from '../exit-codes.ts'
import { Failure } from '../failure.ts'

type Jq = { readonly raw: (data: string, filter: string, flags?: string[]) => Promise<string> }

async function load(): Promise<Jq> {
  const loaded = (await import('jq-wasm')) as unknown as Jq & { default?: Jq }
  return loaded.default ?? loaded
}

const reason = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error))
    .replace(/^jq: (?:error: )?/, '')
    .split('\n')[0]!
    .trim()

/** Refuses a filter that does not compile, before anything is sent. */
export async function checkFilter(filter: string): Promise<void> {
  const jq = await load()
  // Compiles the filter without running it, since there is no input yet.
  await jq.raw('null', `if false then (${filter}\n) else empty end`).catch((error: unknown) => {
    throw new Failure(exitCodes.usage, `--jq: ${reason(error)}`)
  })
}

/** Runs a filter over JSON; texts are printed without quotes, other values as JSON on one line. */
export async function runFilter(text: string, filter: string): Promise<string> {
  const jq = await load()
  try {
    return await jq.raw(text, filter, ['-r', '-c'])
  } catch (error) {
    throw new Failure(exitCodes.api, `--jq: ${reason(error)}`)
  }
}
