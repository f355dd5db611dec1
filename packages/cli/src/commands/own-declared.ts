import type { Command } from 'commander'
import type { OwnCommand } from './own-command.ts'

const settingsFile = (command: Command) => command.option('--file <file>', 'The file.', 'les.yaml')

/** A team's settings as a file. */
export const declaredCommands: readonly OwnCommand[] = [
  {
    words: ['config', 'pull'],
    summary: "Write the team's sources, deliveries and agent into a file",
    description:
      'Into a file that is there already only what differs is written: ' +
      'comments, order and ${env:NAME} references stay. No secret is ever in the file.',
    examples: ['les config pull', 'les config pull --file team.yaml'],
    declare: (command) => void settingsFile(command),
    run: async (given) => (await import('./declared.ts')).pull(given),
  },
  {
    words: ['config', 'validate'],
    summary: 'Say whether the file is valid, without asking the service',
    examples: ['les config validate --file team.yaml'],
    declare: (command) => void settingsFile(command),
    run: async (given) => (await import('./declared.ts')).validate(given),
  },
  {
    words: ['config', 'plan'],
    summary: 'Show what would have to change for the team to be as the file says, and the credits',
    examples: ['les config plan', 'les config plan --file team.yaml --prune --json'],
    declare: (command) => void settingsFile(command).option('--prune', 'Also untrack what the file does not name.'),
    run: async (given) => (await import('./declared.ts')).plan(given),
  },
  {
    words: ['config', 'apply'],
    summary: 'Change the team to what the file says',
    description:
      'Shows the plan and asks before anything that costs; where nobody can be asked it ends with 3 and changes ' +
      'nothing, unless --confirm-spend is there. Run again it does what is left. ' +
      'Ends with 1 when the service has something otherwise afterwards.',
    examples: ['les config apply', 'les config apply --file team.yaml --confirm-spend'],
    declare: (command) =>
      void settingsFile(command)
        .option('--prune', 'Also untrack what the file does not name.')
        .option('--confirm-spend', 'The yes to what the plan costs.'),
    run: async (given) => (await import('./declared.ts')).apply(given),
  },
  {
    words: ['config', 'import'],
    summary: 'Add the people of a CSV file to the file',
    description:
      'The CSV has a column of handles, or of addresses of profiles, under a header such as linkedinUrl or username; ' +
      'values are separated by commas, semicolons or tabs, and notes may stand above the header. ' +
      'A file that names nobody is refused. Nothing is tracked before les config apply.',
    examples: ['les config import people.csv', 'les config import people.csv --file team.yaml'],
    declare: (command) => void settingsFile(command).argument('<csv>'),
    run: async (given) => (await import('./declared.ts')).importPeople(given),
  },
  {
    words: ['config', 'schema'],
    summary: 'Print the JSON Schema of the file, for editors',
    examples: ['les config schema > les.schema.json'],
    run: async (given) => (await import('./declared.ts')).schema(given),
  },
]
