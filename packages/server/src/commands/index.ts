import type { Command } from './command-line.ts'

/** Runs a command, loading it on demand; returns the exit code. */
export async function runCommand(command: Command): Promise<number> {
  const out = (text: string) => void process.stdout.write(text)
  const err = (text: string) => void process.stderr.write(text)
  switch (command.name) {
    case 'doctor': {
      const { runDoctor } = await import('../doctor/index.ts')
      return runDoctor(command.words, out)
    }
    case 'backup':
    case 'restore': {
      const { runBackupCommand } = await import('../backup/index.ts')
      return runBackupCommand(command.name, command.words, { out, err })
    }
    case 'shards': {
      const { runShardsCommand } = await import('./shards.ts')
      return runShardsCommand(command.words, { out, err })
    }
    case 'teams':
    case 'keys':
    case 'credits': {
      const { runOperatorCommand } = await import('./operator.ts')
      return runOperatorCommand(command.name, command.words, { out, err })
    }
    default:
      throw new Error(`there is no command ${command.name}`)
  }
}
