/** Refusals that ask for a confirmation: show the figures, ask, and send the call again. */
import type { ApiError } from '@les/contract'
import type { Entry } from './catalogue/entry.ts'
import { exitCodes } from './exit-codes.ts'
import { Failure, isApiError, stopped } from './failure.ts'
import type { Shell } from './options.ts'
import { printRefusal, wantsJson } from './output/print.ts'
import { flatten, type Json } from './output/rows.ts'
import { align, colorsFor, plain } from './output/text.ts'
import type { Answer, Session } from './session.ts'

type Consent = { readonly field: string; readonly question: string; readonly spends: boolean }

const consents: Readonly<Record<string, Consent>> = {
  spend_confirmation_required: { field: 'confirmSpend', question: 'This costs credits. Go ahead?', spends: true },
  settings_conflict: { field: 'confirmChanges', question: 'Rewrite these settings?', spends: false },
}

const labels: Readonly<Record<string, string>> = {
  estimatedDailyMax: 'credits a day at most',
  daysToExhaustAtCap: 'days until the balance is used up',
  remainingBalance: 'credits left now',
  estimatedCredits: 'credits for this call at most',
  postsPerSync: 'posts per sync',
  creditCapPerSync: 'credit cap per sync',
  creditCap: 'credits a run at most',
  discoverCost: 'credits of the one-off search at most',
  dailyCredits: 'credits a day',
  captureMode: 'capture mode',
  datePosted: 'date posted',
}

/** All further fields of a refusal as a table. */
export function figuresOf({ body }: Pick<ApiError, 'body'>): string {
  const {
    error: _error,
    code: _code,
    requestId: _id,
    changed,
    previous: _previous,
    settings: _settings,
    ...figures
  } = body
  const rows = flatten(figures as Json).map(([name, value]) => [
    labels[name] ?? name,
    value === '' ? 'no limit' : value,
  ])
  const changes = Array.isArray(changed)
    ? (changed as { field: string; from: unknown; to: unknown }[]).map(({ field, from, to }) => [
        field,
        plain(`${JSON.stringify(from)} -> ${JSON.stringify(to)}`),
      ])
    : []
  return align([...rows, ...changes], 60)
}

/** Calls an operation; asks before a charge or rewrite that needs confirmation, and refuses when nobody can be asked. */
export async function callWithConsent(
  person: { readonly session: Session; readonly shell: Shell },
  entry: Entry,
  input: Json,
): Promise<Answer> {
  const { session, shell } = person
  try {
    return await session.call(entry, input)
  } catch (error) {
    if (!isApiError(error)) throw error
    const consent = consents[error.code ?? '']
    const takes = consent && entry.fields.some((field) => field.name === consent.field) && input[consent.field] !== true
    const mayAnswer = takes && (shell.mayAsk || (session.options.yes === true && !consent.spends))
    if (!mayAnswer) {
      // A spending refusal is always printed as JSON, so that a script can decide by its figures.
      if (wantsJson(session.options) || consent?.spends) printRefusal(error, session, shell)
      throw error
    }
    if (!(session.options.yes === true && !consent.spends)) {
      shell.stderr.write(`${colorsFor(shell.stderr, shell.env).bold(plain(error.message))}\n${figuresOf(error)}`)
      const answer = await shell.ask.confirm(consent.question)
      if (answer === undefined) throw stopped()
      if (!answer) throw new Failure(consent.spends ? exitCodes.spendConfirmation : exitCodes.api, 'not confirmed')
    }
    return callWithConsent(person, entry, { ...input, [consent.field]: true })
  }
}
