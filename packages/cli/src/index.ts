import { joinJsonFields, plainFlags } from './argv.ts'
import { exitCodes, type ExitCode } from './exit-codes.ts'
import { report } from './failure.ts'
import type { Io } from './io.ts'
import { settleShell } from './options.ts'
import { buildProgram } from './program.ts'

export type { ExitCode } from './exit-codes.ts'
export type { Asking } from './asking.ts'
export type { Io, Sink, Source } from './io.ts'

/** Runs one command line (without the program's name) and returns its exit code; never rejects. */
export async function run(given: readonly string[], io: Io): Promise<ExitCode> {
  let shell = settleShell(given, io)
  try {
    const argv = given[0] === '__complete' ? given : plainFlags(given)
    shell = settleShell(argv, io)
    if (argv[0] === '__complete') {
      const { complete } = await import('./commands/completion.ts')
      for (const line of complete(buildProgram(shell, argv), argv.slice(1), shell.env)) shell.stdout.write(`${line}\n`)
      return exitCodes.ok
    }
    await buildProgram(shell, argv).parseAsync(argv.length === 0 ? ['--help'] : joinJsonFields(argv), { from: 'user' })
    return exitCodes.ok
  } catch (failure) {
    return report(failure, shell)
  }
}
