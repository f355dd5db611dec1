import type { Outcome } from '@les/contract'
import type { Fixed, Lease } from '../../platform/db/columns.ts'

/** Who reported a result. */
export type Origin = 'api' | 'heyreach' | 'crm'

type ResultTable = {
  team_id: Fixed<string>
  id: Fixed<string>
  person_urn: string | null
  handle: string | null
  lead_id: string | null
  outcome: Fixed<Outcome>
  at: Fixed<Date>
  amount: Fixed<number | null>
  currency: Fixed<string | null>
  origin: Fixed<Origin>
  external_id: Fixed<string | null>
  campaign_id: Fixed<string | null>
  note: string | null
  recorded_at: Fixed<Date>
}

/** Row of `result_inbox`: a post of the outreach platform as received. */
type ResultInboxTable = {
  team_id: Fixed<string>
  hash: Fixed<Buffer>
  person: Fixed<string | null>
  body: Fixed<string>
  received_at: Fixed<Date>
  applied_at: Date | null
}

type ResultFeedTable = Lease & {
  team_id: Fixed<string>
  feed: Fixed<'heyreach'>
  secret_hash: Buffer
  sealed_secret: Buffer
  made_at: Date
  due_at: Date
  poll_at: Date
  unexpected_failures: number
}

declare module '../../platform/db/schema.ts' {
  interface Tables {
    result: ResultTable
    result_inbox: ResultInboxTable
    result_feed: ResultFeedTable
  }
}
