import type { IncomingHttpHeaders } from 'node:http'
import type { FaultRule } from '../traffic.ts'
import type { Network } from '../world/network.ts'
import type { Reply } from './exchange.ts'

/** Everything a vendor needs to answer one call; `fault` is the misbehaviour the paging and row code must play. */
export type VendorContext = {
  network: Network
  seed: string
  now: Date
  operation: string
  path: string
  query: Record<string, string>
  /** What a vendor has taken from its customer so far and how much it lets one account do at once. */
  account: { spent: number; inFlight: number; queue: number }
  fault: FaultRule | undefined
}

/** How a vendor answers and fails; everything a call without limits needs. */
export type Answering = {
  name: string
  answer(context: VendorContext): Reply
  failure(status: number, message: string, context: VendorContext): Reply
  failureIn200(context: VendorContext): Reply
  notFound(context: VendorContext): Reply
  /** The calls of the day are used up; a 429 where left out. */
  quota?(context: VendorContext): Reply
}

/** One data vendor: how its addresses, keys, answers and errors look on the wire. */
export type Vendor = Answering & {
  prefix: string
  /** Whether only so many calls of one key run at once. */
  limitsInFlight: boolean
  /** The operation a path (after the prefix) names; undefined when there is none. */
  operationAt(path: string): string | undefined
  /** The customer's key, for limits per account. */
  keyOf(headers: IncomingHttpHeaders): string
  /** The refusal of a call without a good key; undefined lets it pass. */
  refuse(headers: IncomingHttpHeaders, path: string, now: Date): Reply | undefined
}
