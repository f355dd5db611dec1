/** All kinds of destinations that have an adapter. */
import type { DestinationAdapter } from './port.ts'
import { s3 } from './s3/s3.ts'
import { googleSheets } from './sheets/sheets.ts'
import { slack } from './slack.ts'

/** In no particular order; settings and credentials are read by each adapter's own schemas. */
export const destinationAdapters = [slack, googleSheets, s3] as unknown as readonly DestinationAdapter[]
