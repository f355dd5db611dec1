import type { OperationId } from '@les/contract'
import { ProviderFailure } from '../../src/providers/ports.ts'
import type { Command } from './commands.ts'
import type { FeatureKind, Surroundings } from './feature-commands.ts'
import { canary } from './network.ts'

/** Draws a command about the person, by any of their names, before or after the erasure. */
export function privacyCommand(kind: FeatureKind, { core, dice, team, campaigns }: Surroundings): Command {
  const address = `https://www.linkedin.com/in/${canary.handle}`
  const profileUrl = dice.pick([address, canary.handle, canary.urn, `https://de.linkedin.com/in/ZQ-Handle/?trk=x`])
  const of = (operation: OperationId, body: Record<string, unknown>): Command => ({
    name: `${team.name} ${kind} ${JSON.stringify(body)}`,
    run: async () => {
      try {
        const called = await core.call(team.id, operation, body)
        return 'refused' in called ? `refused ${called.refused}` : 'done'
      } catch (error) {
        if (error instanceof ProviderFailure) return 'refused 502'
        throw error
      }
    },
  })
  switch (kind) {
    case 'erase':
      return of('createErasure', { profileUrl })
    case 'exclude':
      return dice.random(0.4)
        ? of('createObjection', { profileUrl })
        : of('addExclusions', { entries: [{ kind: 'person', value: profileUrl, reason: `${canary.name} asked` }] })
    case 'makeExport':
      return of('createExport', { format: dice.pick(['csv', 'jsonl']) })
    case 'addDestination': {
      const webhookUrl = `https://hooks.slack.com/services/T0SIM/B0SIM/${team.name}`
      return of('createDestination', { kind: 'slack', name: 'Sales', settings: {}, credentials: { webhookUrl } })
    }
    case 'result':
      return of('recordResults', {
        results: [
          { profileUrl: address, outcome: dice.pick(['meeting', 'replied']), note: `${canary.name} wants a call` },
        ],
      })
    case 'searchAbout':
      return of('trackKeyword', {
        keywords: ['apples', 'plums'],
        creditCap: 40,
        captureMode: 'depth',
        datePosted: 'PAST_MONTH',
        confirmSpend: true,
        confirmChanges: true,
        fromPerson: [canary.urn],
      })
    default:
      return of('sendLeads', {
        campaignId: dice.pick(campaigns),
        people: [{ profileUrl: address, name: canary.name }],
        includeExcluded: true,
      })
  }
}
