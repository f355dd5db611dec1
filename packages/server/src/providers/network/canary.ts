import { ProviderFailure } from '../ports.ts'

/** Resolves when a vendor gave any answer at all: that there is no such thing is one. */
export async function answered(call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => {
    if (!(error instanceof ProviderFailure && error.kind === 'not_found')) throw error
  })
}
