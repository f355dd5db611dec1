/** Twins of the platforms that receive leads: each stores what it gets by credential, in its platform's wire format. */
import { createAttio } from './attio/twin.ts'
import type { Exchange } from './exchange.ts'
import { createHubspot } from './hubspot/twin.ts'
import { createS3 } from './s3/serve.ts'
import { createSalesforce } from './salesforce/twin.ts'
import { createGoogle } from './sheets/twin.ts'
import { createSlack } from './slack/serve.ts'

export type Twin = {
  readonly prefix: string
  serve(exchange: Exchange): Promise<void>
  view(key: string): unknown
  /** A manual change (archive a field, delete a record …); throws when invalid. */
  change(key: string, change: unknown): void
  clear(): void
}

export const createTwins = () => {
  const google = createGoogle()
  return {
    hubspot: createHubspot(),
    attio: createAttio(),
    salesforce: createSalesforce(),
    slack: createSlack(),
    google_sheets: google.sheets,
    google_token: google.token,
    s3: createS3(),
  }
}

/** The name of a twin in addresses and control. */
export type TwinName = keyof ReturnType<typeof createTwins>
