/** The commands beside serving; each is loaded when it runs. */
import type { Command } from './command-line.ts'

/** Runs a command; answers the exit code. */
export async function runCommand(command: Command): Promise<number> {
  switch (command.name) {
    case 'doctor': {
      const { runDoctor } = await import('../doctor/index.ts')
      return runDoctor(command.words, (text) => process.stdout.write(text))
    }
    default:
      throw new Error(`there is no command ${command.name}`)
  }
}
