/** The adapters of destinations, one per kind; the composition passes them to the module `delivery`. */
import { attio } from './attio/index.ts'
import { hubspot } from './hubspot/index.ts'
import type { DestinationAdapter } from './port.ts'
import { s3 } from './s3/s3.ts'
import { googleSheets } from './sheets/sheets.ts'
import { slack } from './slack.ts'
import { salesforce } from './salesforce/index.ts'

export * from './port.ts'
export { platformCall } from './http.ts'

/** All adapters; only their own schemas know the shapes of settings and credentials. */
export const destinationAdapters: readonly DestinationAdapter[] = [slack, hubspot, googleSheets, s3, attio, salesforce]
