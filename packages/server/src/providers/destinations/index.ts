/** The places where leads go, one adapter a kind; composition hands them to the module that owns destinations. */
import { attio } from './attio/index.ts'
import { hubspot } from './hubspot/index.ts'
import type { DestinationAdapter } from './port.ts'
import { s3 } from './s3/s3.ts'
import { googleSheets } from './sheets/sheets.ts'
import { slack } from './slack.ts'
import { salesforce } from './salesforce/index.ts'

export * from './port.ts'
export { platformCall } from './http.ts'

/** All adapters. What is in their settings and credentials is known to their schemas alone. */
export const destinationAdapters: readonly DestinationAdapter[] = [slack, hubspot, googleSheets, s3, attio, salesforce]
