import { Command, InvalidArgumentError } from 'commander'
import type { GlobalOptions, Shell } from '../options.ts'
import { examplesHelp } from '../topics.ts'

/** What one of the client's own commands receives; `options` includes the global ones. */
export type Given<Options = object> = {
  readonly args: readonly string[]
  readonly options: GlobalOptions & Options
  readonly shell: Shell
}

/** One of the client's own commands, that is, one that is not generated from an operation. */
export type OwnCommand = {
  readonly words: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly examples: readonly string[]
  readonly declare?: (command: Command) => void
  readonly run: (given: Given<never>) => Promise<void>
}

export const refuse = (message: string): never => {
  throw new InvalidArgumentError(message)
}

/** Parses a whole number from 1. */
export const count = (text: string): number =>
  /^[1-9]\d{0,8}$/.test(text) ? Number(text) : refuse('must be a whole number from 1')

export function ownCommand({ words, summary, description, examples, declare, run }: OwnCommand, shell: Shell): Command {
  const command = new Command(words.at(-1))
    .summary(summary)
    .description(description ? `${summary}. ${description}` : `${summary}.`)
  declare?.(command)
  command.addHelpText('before', examplesHelp(examples))
  return command.action(() =>
    run({ args: command.processedArgs as string[], options: command.optsWithGlobals(), shell } as Given<never>),
  )
}
