import advice from './advice.json' with { type: 'json' }

const byCode: Readonly<Record<string, string>> = advice.byCode
const byStatus: Readonly<Record<number, string>> = advice.byStatus

/** What a caller should do about a refusal: by its stable code, else by its HTTP status. The sentences are in `advice.json`. */
export function adviceFor(status: number, code: string | null): string {
  return (
    (code === null ? undefined : byCode[code]) ??
    byStatus[status] ??
    'Read the message and change the request accordingly.'
  )
}
