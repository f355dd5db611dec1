/** The commands beside serving; each is loaded when it runs. */
import type { Command } from './command-line.ts'

/** Runs a command; answers the exit code. */
export async function runCommand(command: Command): Promise<number> {
  switch (command.name) {
    case 'doctor': {
      const { runDoctor } = await import('../doctor/index.ts')
      return runDoctor(command.words, (text) => process.stdout.write(text))
    }
    case 'backup':
    case 'restore': {
      const { runBackupCommand } = await import('../backup/index.ts')
      return runBackupCommand(
        command.name,
        command.words,
        (text) => process.stdout.write(text),
        (text) => process.stderr.write(text),
      )
    }
    case 'upgrade-database': {
      const { runUpgradeDatabase } = await import('../backup/upgrade.ts')
      return runUpgradeDatabase(
        command.words,
        (text) => process.stdout.write(text),
        (text) => process.stderr.write(text),
      )
    }
    case 'indexes': {
      const { runIndexes } = await import('./indexes.ts')
      return runIndexes(
        command.words,
        (text) => process.stdout.write(text),
        (text) => process.stderr.write(text),
      )
    }
    case 'support-bundle': {
      const { runSupportBundle } = await import('./support/index.ts')
      return runSupportBundle(
        command.words,
        (text) => process.stdout.write(text),
        (text) => process.stderr.write(text),
      )
    }
    case 'teams':
    case 'keys':
    case 'credits': {
      const { runOperatorCommand } = await import('./operator.ts')
      return runOperatorCommand(
        command.name,
        command.words,
        (text) => process.stdout.write(text),
        (text) => process.stderr.write(text),
      )
    }
    default:
      throw new Error(`there is no command ${command.name}`)
  }
}
