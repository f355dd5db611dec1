/** What is composed: a service, and what a test may put in the place of the machine. */
import type { Sandbox } from '@les/sandbox'
import type { Config } from '../config/config.ts'
import type { HttpParts, HttpServer } from '../edge/http/server.ts'
import type { OpenDatabase } from '../platform/db/open.ts'
import type { UnitOfWork } from '../platform/db/unit-of-work.ts'
import type { InfrastructureOverrides } from './infrastructure.ts'
import type { ServiceMetrics } from './metrics.ts'
import type { Ids, Random } from '../platform/random.ts'
import type { Vault } from '../platform/secrets.ts'
import type { ServiceClock } from '../platform/service-clock.ts'
import type { AiJudge } from '../providers/ai/index.ts'
import type { VendorBreaker } from '../providers/breaker/breaker.ts'
import type { Network } from '../providers/ports.ts'
import type { SendMail, SignIn, SignInLimits } from '../sign-in/index.ts'
import type { PeriodicTask } from '../worker/clock.ts'
import type { Steps } from '../worker/lanes.ts'

/** What a test may put in the place of the machine. */
export type Overrides = InfrastructureOverrides & {
  readonly random?: Random
  readonly sandboxSeed?: string
  readonly network?: Network
  readonly judge?: AiJudge
  readonly breaker?: VendorBreaker
  readonly sendMail?: SendMail
  /** Null: people may try to sign in as often as they like. */
  readonly signInLimits?: SignInLimits | null
  readonly onUndeclared?: HttpParts['onUndeclared']
}

/** A composed service, its roles running after `start`. */
export type Service = {
  readonly config: Config
  readonly http: HttpServer
  /** The pool of background work. */
  readonly database: OpenDatabase
  /** The pool of requests. */
  readonly requests: OpenDatabase
  readonly unitOfWork: UnitOfWork
  readonly clock: ServiceClock
  readonly vault: Vault
  readonly ids: Ids
  readonly network: Network
  readonly judge: AiJudge
  readonly signIn: SignIn
  readonly sandbox: Sandbox | undefined
  readonly operatorToken: string
  readonly metrics: ServiceMetrics
  /** Looks at the accounts of the vendors as the clock does; answers how many marks of balances were told. */
  readonly watchVendors: () => Promise<number>
  readonly steps: Steps
  readonly tasks: readonly PeriodicTask[]
  /** Listens and starts working. */
  start(): Promise<void>
  /** Stops in reverse: no new requests, finish what is under way, leave the database as the last. */
  stop(): Promise<void>
}
