/** How each sort of row records an unexpected failure. */
import { recordUnexpectedOfAgent } from '../modules/agent/index.ts'
import { recordUnexpectedOfRun } from '../modules/capture/index.ts'
import { recordUnexpectedOfSearch } from '../modules/discover/index.ts'
import { recordUnexpectedOfPerson } from '../modules/enrichment/index.ts'
import { recordUnexpectedOfRescore } from '../modules/fit/index.ts'
import { recordUnexpectedOfJob } from '../modules/jobs/index.ts'
import { recordUnexpectedOfBatch, recordUnexpectedOfRule } from '../modules/outreach/index.ts'
import type { RecordUnexpected, WorkSort } from '../platform/work-in-hand.ts'

/** Every sort of row that a step claims; deliveries, which are many to a step, record theirs themselves. */
export const unexpectedRecords: Readonly<Record<WorkSort, RecordUnexpected>> = {
  run: recordUnexpectedOfRun,
  person: recordUnexpectedOfPerson,
  job: recordUnexpectedOfJob,
  discover: recordUnexpectedOfSearch,
  rule: recordUnexpectedOfRule,
  batch: recordUnexpectedOfBatch,
  rescore: recordUnexpectedOfRescore,
  agent: recordUnexpectedOfAgent,
}
