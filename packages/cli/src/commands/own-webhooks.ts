import type { EventName } from '@les/contract'
import { Argument, Option, type Command } from 'commander'
import { count, refuse, type OwnCommand } from './own-command.ts'

const portNumber = (text: string): number =>
  /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : refuse('must be a port, 0 to 65535')

const secretFile = (command: Command) =>
  command.option(
    '--secret-file <file>',
    'File that holds the signing secret (whsec_…); default: LES_SIGNING_SECRET, else asked of the service.',
  )

/** Written out, since the contract itself is loaded by the commands that need it; one that is missing does not compile. */
const events: Readonly<Record<EventName, true>> = {
  'lead.detected': true,
  'post.detected': true,
  'sync.completed': true,
  'sync.failed': true,
}
const eventNames = Object.keys(events)

/** Receiving, checking and trying out webhooks on this machine. */
export const webhookCommands: readonly OwnCommand[] = [
  {
    words: ['webhooks', 'listen'],
    summary: 'Receive webhooks on this machine, verify and show them',
    description:
      'The service sends to this machine only when it runs with LES_ALLOW_PRIVATE_DESTINATIONS=1; ' +
      'with --hosted deliveries of a service anywhere, to whatever address, ' +
      'are asked for and shown (les auth login --session comes first). ' +
      'With --json each event is one line of JSON. Deliveries that do not verify are shown with the reason and ' +
      'answered with 400.',
    examples: [
      'les webhooks listen',
      'les webhooks listen --port 4400 --forward-to http://127.0.0.1:3000/hooks',
      'les webhooks listen --count 1 --timeout 60 --json',
      'les webhooks listen --hosted --forward-to http://127.0.0.1:3000/hooks',
    ],
    declare: (command) => {
      secretFile(command)
      command.addOption(
        new Option('--port <port>', 'Port on 127.0.0.1; 0 takes a free one.').default(4400).argParser(portNumber),
      )
      command.option('--hosted', 'Ask the service for its deliveries instead of waiting for them on a port.')
      command.option('--source <id>', 'With --hosted: only deliveries of this source or agent.')
      command.option('--forward-to <url>', 'Send what verifies on to this address, and answer with its status.')
      command.addOption(new Option('--count <number>', 'End after so many verified events.').argParser(count))
    },
    run: async (given) => (await import('../webhooks/listen.ts')).listen(given),
  },
  {
    words: ['webhooks', 'verify'],
    summary: 'Say whether a delivery is genuine, and if not, what is wrong with it',
    description:
      'Reads the headers and the body from files, or both from standard input with an empty line between them. ' +
      'The body must be the exact bytes that came.',
    examples: [
      'les webhooks verify --secret-file secret.txt < request.txt',
      'les webhooks verify --headers headers.txt --body body.json --at 2026-11-21T09:00:00Z',
    ],
    declare: (command) => {
      secretFile(command)
      command
        .option('--headers <file>', 'File with the headers, one a line.')
        .option('--body <file>', 'File with the exact body.')
      command.option(
        '--at <instant>',
        'Judge the timestamp as of this instant instead of now: for a delivery that was kept.',
      )
    },
    run: async (given) => (await import('../webhooks/verify-command.ts')).verifyCommand(given),
  },
  {
    words: ['webhooks', 'trigger'],
    summary: 'Send a signed sample event to an address on this machine',
    description: 'The event is invented and says so: its body has "sample": true. It goes to this machine only.',
    examples: [
      'les webhooks trigger',
      'les webhooks trigger sync.failed --to http://127.0.0.1:3000/hooks --secret-file secret.txt',
    ],
    declare: (command) => {
      secretFile(command)
      command.addArgument(new Argument('[event]', 'which event').choices(eventNames).default(eventNames[0]))
      command.option('--to <url>', 'Where to send it.', 'http://127.0.0.1:4400/')
    },
    run: async (given) => (await import('../webhooks/trigger.ts')).trigger(given),
  },
]
