import type { IncomingHttpHeaders } from 'node:http'
import type { FaultRule } from '../traffic.ts'
import type { Network } from '../world/network.ts'
import type { Reply } from './exchange.ts'

/** What a vendor needs to answer one call; `fault` must be applied by paging and row code. */
export type VendorContext = {
  network: Network
  seed: string
  now: Date
  operation: string
  path: string
  query: Record<string, string>
  /** Spending and concurrency of the caller's account. */
  account: { spent: number; inFlight: number; queue: number }
  fault: FaultRule | undefined
}

/** How a vendor answers and fails. */
export type Answering = {
  name: string
  answer(context: VendorContext): Reply
  failure(status: number, message: string, context: VendorContext): Reply
  /** A failure sent with status 200; by default that of status 500. */
  failureIn200?(context: VendorContext): Reply
  /** By default that of status 404. */
  notFound?(context: VendorContext): Reply
  /** The daily quota is used up; by default that of status 429. */
  quota?(context: VendorContext): Reply
}

/** A data vendor's wire format. */
export type Vendor = Answering & {
  prefix: string
  limitsInFlight: boolean
  /** The operation at a path below the prefix; undefined when unknown. */
  operationAt(path: string): string | undefined
  keyOf(headers: IncomingHttpHeaders): string
  /** The refusal of a call without a valid key; undefined accepts it. */
  refuse(headers: IncomingHttpHeaders, path: string, now: Date): Reply | undefined
}
