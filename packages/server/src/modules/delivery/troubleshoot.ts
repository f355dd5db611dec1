/**
 * Handlers that help whoever builds a receiver: a test event, and the signature debugger. Neither touches a lead, a
 * delivery or a state.
 */
import { type SessionHandlers, readSigningSecrets } from '../accounts/index.ts'
import { debugSignature } from './rules/debug-signature.ts'
import { sendSample, type SampleDeps } from './sample.ts'

const anyTime = new Date(0)

/** Makes the handlers. */
export function troubleshootOperations(deps: SampleDeps): SessionHandlers<'sendTestEvent' | 'debugSignature'> {
  return {
    sendTestEvent: async ({ sourceId }, { caller, unitOfWork }) => {
      const sent = await sendSample(deps, caller.teamId, sourceId)
      return await unitOfWork(async () => sent)
    },
    debugSignature: async (input, { caller, db, now, unitOfWork }) => {
      const { current, previous } = await readSigningSecrets(db, { vault: deps.vault, teamId: caller.teamId, now })
      // As of long ago, the secret before counts however long it has been replaced.
      const before = (await readSigningSecrets(db, { vault: deps.vault, teamId: caller.teamId, now: anyTime })).previous
      const report = debugSignature(input, { current, previous, retired: previous === null ? before : null }, now)
      return await unitOfWork(async () => ({ valid: report.valid, findings: [...report.findings] }))
    },
  }
}
