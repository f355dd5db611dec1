/** Puts answers on standard output. */
import type { ApiError } from '@les/contract'
import type { Io } from '../io.ts'
import type { GlobalOptions, Session } from '../session.ts'
import type { RawAnswer } from '../transport.ts'
import { render } from './rows.ts'
import { maskSecrets } from './secrets.ts'
import { colorsFor } from './text.ts'

const withNewline = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

/** Prints an answer just as the service sent it, apart from masked secrets. */
export function printRaw(raw: RawAnswer, options: GlobalOptions, io: Io): void {
  io.stdout.write(withNewline(options.showSecret ? raw.text : maskSecrets(raw.text)))
}

/** Prints a refusal as JSON: just as it was sent, or what the client made of it when that was not JSON. */
export function printRefusal(error: ApiError, session: Session, io: Io): void {
  const raw = session.last()
  const text = raw?.text.trimStart().startsWith('{') ? raw.text : JSON.stringify(error.body)
  io.stdout.write(withNewline(text))
}

/** Prints an answer the way it was asked for: the JSON itself, columns for a terminal, or rows with tabs. */
export function printAnswer(raw: RawAnswer, options: GlobalOptions, io: Io): void {
  if (options.json) {
    printRaw(raw, options, io)
    return
  }
  const answer = JSON.parse(options.showSecret ? raw.text : maskSecrets(raw.text)) as Readonly<Record<string, unknown>>
  const { data, note } = render(answer, io.stdout)
  io.stdout.write(data)
  if (note !== '' && io.stderr.isTty) io.stderr.write(`${colorsFor(io.stderr, io.env).dim(note)}\n`)
}
