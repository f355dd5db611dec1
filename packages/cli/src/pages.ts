import type { Entry } from './catalogue/entry.ts'
import { printAnswer, printCsv, wantsJson } from './output/print.ts'
import type { Json } from './output/rows.ts'
import { maskSecrets } from './output/secrets.ts'
import type { Shell } from './options.ts'
import type { Session } from './session.ts'

type Page = { readonly hasMore: boolean; readonly limit: number; readonly offset: number }

/** Skips rows that new rows pushed onto a later page, so that each is printed once. */
async function* pagesOf(session: Session, entry: Entry, input: Json): AsyncGenerator<Json> {
  const { pages } = await import('@les/contract')
  const list = entry.answer.list!.name
  const seen = new Set<unknown>()
  const read = async (asked: Json) => (await session.call(entry, asked)).value as Json & Page
  for await (const page of pages(read, input)) {
    const rows = ((page as Json)[list] ?? []) as Json[]
    yield { ...page, [list]: rows.filter((row) => isNew(seen, row.id ?? row.postUrn)) }
  }
}

function isNew(seen: Set<unknown>, key: unknown): boolean {
  if (key !== undefined && seen.has(key)) return false
  seen.add(key)
  return true
}

/** Prints a whole list: row by row as pages arrive, or as one JSON document. */
export async function printAll(
  { session, shell }: { readonly session: Session; readonly shell: Shell },
  entry: Entry,
  input: Json,
): Promise<void> {
  const { options } = session
  const list = entry.answer.list!.name
  const streams = !wantsJson(options) && (options.csv === true || !shell.stdout.isTty)
  let whole: Json | undefined
  for await (const page of pagesOf(session, entry, input)) {
    if (streams) {
      if (options.csv)
        await printCsv(JSON.parse(maskSecrets(JSON.stringify(page))) as Json, entry, {
          shell,
          head: whole === undefined,
        })
      else await printAnswer(JSON.stringify(page), entry, { options, shell })
      whole = page
    } else whole = { ...page, [list]: [...((whole?.[list] ?? []) as Json[]), ...(page[list] as Json[])] }
  }
  if (!streams && whole) {
    const rows = whole[list] as Json[]
    await printAnswer(
      JSON.stringify({ ...whole, limit: rows.length, offset: Number(input.offset ?? 0), hasMore: false }),
      entry,
      { options, shell },
    )
  }
}
