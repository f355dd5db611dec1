/** The places where leads go, one adapter a kind; composition hands them to the module that owns destinations. */
import { hubspot } from './hubspot/index.ts'
import type { DestinationAdapter } from './port.ts'
import { s3 } from './s3/s3.ts'
import { googleSheets } from './sheets/sheets.ts'
import { slack } from './slack.ts'

export * from './port.ts'
export { outcomeOf, platformCall } from './http.ts'

/** All adapters. What is in their settings and credentials is known to their schemas alone. */
export const destinationAdapters = [hubspot, slack, googleSheets, s3] as unknown as readonly DestinationAdapter[]
