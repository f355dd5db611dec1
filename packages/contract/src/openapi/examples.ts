/** Examples recorded on the sandbox by `npm run examples`; refusals it cannot produce are written from the error table. */
import { errorTable, type ErrorKey } from '../errors.ts'
import { declaredErrors, type Operation } from '../operation.ts'
import { identityOf, type RefusalExamples } from './refusals.ts'
import type { Json } from './schema.ts'

type RecordedCall = {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | number | boolean>>
  readonly request: Readonly<Record<string, unknown>> | null
  readonly answers: Readonly<Record<string, unknown>>
}

export type RecordedExamples = {
  readonly operations: Readonly<Record<string, RecordedCall>>
  /** Bodies of refusals by error key. */
  readonly refusals: Readonly<Record<string, unknown>>
  /** Completed jobs by type. */
  readonly jobs: Readonly<Record<string, unknown>>
  /** Bodies of refusals that differ by operation: by operation id, then by error key. */
  readonly own: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

export function examplesOf(recorded: RecordedExamples, { id }: Operation, status: number): Json {
  if (id === 'getJobStatus')
    return {
      examples: Object.fromEntries(
        Object.entries(recorded.jobs).map(([type, value]) => [type, { summary: type, value }]),
      ),
    }
  const answer = recorded.operations[id]?.answers[status]
  return answer === undefined ? {} : { example: answer }
}

function written(key: ErrorKey): Json {
  const { code, message } = errorTable[key]
  return { error: message, ...(code === null ? {} : { code }), requestId: '019aa2f1-7c00-7000-8000-0000000000ff' }
}

const refusalExample = (recorded: RecordedExamples, { id }: Operation, key: ErrorKey): unknown =>
  recorded.own[id]?.[key] ?? recorded.refusals[key] ?? written(key)

/** Every distinct refusal body that these operations can answer, by identity. */
export function refusalExamples(recorded: RecordedExamples, operations: readonly Operation[]): RefusalExamples {
  const bodies = new Map<string, Map<string, unknown>>()
  for (const operation of operations)
    for (const key of declaredErrors(operation)) {
      const identity = identityOf(key)
      const example = refusalExample(recorded, operation, key)
      if (!bodies.has(identity)) bodies.set(identity, new Map())
      bodies.get(identity)!.set(JSON.stringify(example), example)
    }
  return new Map([...bodies].map(([identity, found]) => [identity, [...found.values()]]))
}
