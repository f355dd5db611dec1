/** Every place where a fault can be armed. A folder whose places are left out here does not compile. */
import { edgeFaultPoints } from '../edge/fault-points.ts'
import { agentFaultPoints } from '../modules/agent/index.ts'
import { captureFaultPoints, postsFaultPoints } from '../modules/capture/index.ts'
import { creditsFaultPoints } from '../modules/credits/index.ts'
import { deliveryFaultPoints } from '../modules/delivery/index.ts'
import { discoverFaultPoints } from '../modules/discover/index.ts'
import { enrichmentFaultPoints } from '../modules/enrichment/index.ts'
import { icpFaultPoints } from '../modules/fit/index.ts'
import { keywordsFaultPoints } from '../modules/keywords/index.ts'
import { outreachFaultPoints } from '../modules/outreach/index.ts'
import { resultsFaultPoints } from '../modules/results/index.ts'
import { sendsFaultPoints } from '../modules/dashboard/index.ts'
import { privacyFaultPoints } from '../modules/privacy/index.ts'
import { sourcesFaultPoints } from '../modules/sources/index.ts'
import { retentionFaultPoints } from '../worker/retention/rules.ts'
import { teamEndFaultPoints } from '../worker/team-end/purge.ts'
import type { FaultPoints } from '../platform/faults.ts'

/** By name, with what each lies between. */
export const faultPoints: FaultPoints = {
  ...edgeFaultPoints,
  ...agentFaultPoints,
  ...captureFaultPoints,
  ...creditsFaultPoints,
  ...deliveryFaultPoints,
  ...discoverFaultPoints,
  ...enrichmentFaultPoints,
  ...icpFaultPoints,
  ...keywordsFaultPoints,
  ...outreachFaultPoints,
  ...postsFaultPoints,
  ...privacyFaultPoints,
  ...resultsFaultPoints,
  ...sendsFaultPoints,
  ...sourcesFaultPoints,
  ...retentionFaultPoints,
  ...teamEndFaultPoints,
}
