/** Twins of the platforms that receive leads, by their names in addresses and control. */
import { createAttio } from './attio/twin.ts'
import { createHubspot } from './hubspot/twin.ts'
import { createS3 } from './s3/serve.ts'
import { createSalesforce } from './salesforce/twin.ts'
import { createGoogle } from './sheets/twin.ts'
import { createSlack } from './slack/serve.ts'

export const createTwins = () => ({
  hubspot: createHubspot(),
  attio: createAttio(),
  salesforce: createSalesforce(),
  slack: createSlack(),
  ...createGoogle(),
  s3: createS3(),
})

export type TwinName = keyof ReturnType<typeof createTwins>
