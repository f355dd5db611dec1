/**
 * The law that an operation answers no refusal it does not declare. In the suite a breach fails the test; in service it is logged
 * and counted, and the caller gets the answer all the same.
 */
import { declaredErrors, declaredForTools, type ErrorKey, type Operation } from '@les/contract'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Reply } from './reply.ts'

/** The surfaces that answer operations. */
export type OperationSurface = 'api' | 'mcp' | 'dashboard'

/** A refusal that was answered and is not declared. */
export type Undeclared = { readonly surface: OperationSurface; readonly operation: string; readonly refusal: ErrorKey }

/** What is told of a breach. */
export type DeclaredParts = {
  readonly log: Log
  readonly metrics: Pick<Metrics, 'count'> /** The suite listens here. */
  readonly onUndeclared?: ((found: Undeclared) => void) | undefined
}

/** Makes what looks at every reply of an operation on a surface. */
export function watchRefusals(
  { log, metrics, onUndeclared }: DeclaredParts,
  surface: OperationSurface,
): (operation: Operation, reply: Reply) => void {
  const declared = surface === 'mcp' ? declaredForTools : declaredErrors
  return (operation, { refusal }) => {
    if (refusal === undefined || declared(operation).includes(refusal)) return
    log.error('an operation answered a refusal that it does not declare', { operation: operation.id, refusal, surface })
    metrics.count('undeclared_refusals', operation.id, 1)
    onUndeclared?.({ surface, operation: operation.id, refusal })
  }
}
