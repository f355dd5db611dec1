/** The command line client: `les`. */
import { exitCodes, type ExitCode } from './exit-codes.ts'
import { report } from './failure.ts'
import type { Io } from './io.ts'
import { buildProgram } from './program.ts'

export type { ExitCode } from './exit-codes.ts'
export type { Io, Sink } from './io.ts'

/** Runs one command line, without the name of the program, and gives its exit code; never rejects. */
export async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  try {
    await buildProgram(io).parseAsync(argv.length === 0 ? ['--help'] : [...argv], { from: 'user' })
    return exitCodes.ok
  } catch (failure) {
    return report(failure, io)
  }
}
