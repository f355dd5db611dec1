/** Twins of the platforms where leads go: each keeps what it is sent, by credential, and speaks its platform's wire format. */
import { createAttio } from './attio/twin.ts'
import type { Exchange } from './exchange.ts'
import { createHubspot } from './hubspot/twin.ts'
import { createS3 } from './s3/serve.ts'
import { createSalesforce } from './salesforce/twin.ts'
import { createGoogle } from './sheets/twin.ts'
import { createSlack } from './slack/serve.ts'

export type Twin = {
  /** Its base address is this path. */
  readonly prefix: string
  serve(exchange: Exchange): Promise<void>
  /** What it holds for one credential. */
  view(key: string): unknown
  /** What people do there by hand (archive a field, delete a record …); nonsense is refused with an exception. */
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
