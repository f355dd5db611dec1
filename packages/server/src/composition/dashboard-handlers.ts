/** The dashboard's handlers, each from the module that owns what it is about; `server.ts` gives them their parts. */
import {
  auditOperations,
  settingsOperations,
  viewOperations,
  type SessionHandlers,
  requestLogOperations,
  type RequestLog,
} from '../modules/accounts/index.ts'
import { readCredits } from '../modules/credits/index.ts'
import {
  creditDashboardOperations,
  deliveryLogOperations,
  leadDetailOperations,
  outreachResultOperations,
  quoteOperations,
  sourceHealthOperations,
  sourceNameOperations,
  type NetworkTrouble,
  sendOperations,
  teamDefaultOperations,
} from '../modules/dashboard/index.ts'
import { comparisonOperations, leadVerdicts } from '../modules/fit/index.ts'
import { sortedLeadOperations } from '../modules/leads/index.ts'
import { tryOutOperations } from '../modules/keywords/index.ts'
import { agentsForSends } from '../modules/agent/index.ts'
import type { Reader } from '../platform/db/unit-of-work.ts'
import type { Ids } from '../platform/random.ts'
import type { Vault } from '../platform/secrets.ts'
import { troubleshootOperations, type SampleDeps } from '../modules/delivery/index.ts'
import type { AiJudge } from '../providers/ai/index.ts'
import type { OutreachPlatform } from '../providers/outreach/port.ts'
import type { OutreachDeps } from '../modules/outreach/index.ts'
import { isOperator, operatorPageOperations, type OperatorPageParts } from './operator-pages.ts'
import { findServedSource, lockServedSource } from '../modules/sources/index.ts'
import { connectionOperations, peopleOperations, type SignIn, type SignUpPolicy } from '../sign-in/index.ts'

/** What the handlers are made of. */
export type DashboardHandlerParts = {
  readonly db: Reader
  readonly vault: Vault
  readonly ids: Ids
  readonly judge: AiJudge
  readonly platform: OutreachPlatform
  readonly outreach: OutreachDeps
  /** The way to webhook receivers. */
  readonly delivering: SampleDeps
  readonly serviceNow: (db: Reader) => Promise<Date>
  readonly signIn: SignIn
  readonly sandbox: boolean
  readonly requestLog: RequestLog
  readonly publicOrigin: () => string
  readonly signUp: SignUpPolicy
  readonly sampleRows: () => Promise<string>
  readonly networkTrouble: NetworkTrouble
  readonly operatorPages: OperatorPageParts
  /** The operator's switch that permits http and private destinations. */
  readonly allowPrivate: boolean
}

/** Makes all of them; one that is missing does not compile. */
export function sessionHandlersOf(parts: DashboardHandlerParts): SessionHandlers {
  return {
    ...peopleOperations({ ...parts, isOperator: (email) => isOperator(parts.operatorPages.operators, email) }),
    ...connectionOperations(parts),
    ...settingsOperations({ ...parts, readCredits }),
    ...auditOperations,
    ...requestLogOperations(parts),
    ...viewOperations,
    ...sortedLeadOperations(leadVerdicts),
    ...leadDetailOperations,
    ...sourceHealthOperations(parts.networkTrouble),
    ...sourceNameOperations,
    ...creditDashboardOperations,
    ...comparisonOperations({ owners: { find: findServedSource, lock: lockServedSource } }),
    ...tryOutOperations(parts),
    ...deliveryLogOperations,
    ...outreachResultOperations,
    ...quoteOperations,
    ...troubleshootOperations(parts.delivering),
    ...sendOperations({ ...parts, agents: agentsForSends }),
    ...teamDefaultOperations(parts),
    ...operatorPageOperations(parts.operatorPages),
  }
}
