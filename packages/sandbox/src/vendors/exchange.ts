import type { IncomingMessage, ServerResponse } from 'node:http'
import type { WorldInside } from '../world/world.ts'

/** One request to the sandbox: the world it meets, what it asks for, and where its answer goes. */
export type Exchange = {
  readonly inside: WorldInside
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly path: string
  readonly query: Record<string, string>
}
