/** Exit codes by meaning. Never change one: scripts depend on them. */
export const exitCodes = {
  ok: 0,
  api: 1,
  usage: 2,
  spendConfirmation: 3,
  signIn: 4,
  notFound: 5,
  outOfCredits: 6,
  rateLimited: 7,
  jobFailed: 8,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

const meanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  ok: 'success',
  api: 'the service refused or failed, or could not be reached',
  usage: 'invalid command line; nothing was sent',
  spendConfirmation:
    'the call creates or raises a charge; standard output has the error as JSON; run again with --confirm-spend',
  signIn: 'the API key is missing, unknown or revoked (401)',
  notFound: 'not found or not tracked (404)',
  outOfCredits: 'not enough credits (402)',
  rateLimited: 'still rate limited after 3 retries (429)',
  jobFailed: 'with --wait: the work failed, or --timeout passed before it finished',
  interrupted: 'interrupted by Ctrl-C; started work continues',
}

export function exitCodesHelp(): string {
  const lines = (Object.keys(exitCodes) as (keyof typeof exitCodes)[]).map(
    (key) => `  ${String(exitCodes[key]).padStart(3)}  ${meanings[key]}`,
  )
  return `Exit codes:\n${lines.join('\n')}\n`
}

export function exitCodeOf(status: number, code: string | undefined): ExitCode {
  if (code === 'spend_confirmation_required') return exitCodes.spendConfirmation
  if (status === 401) return exitCodes.signIn
  if (status === 402) return exitCodes.outOfCredits
  if (status === 404) return exitCodes.notFound
  if (status === 429) return exitCodes.rateLimited
  return exitCodes.api
}
