import type { SessionResult } from '../api/types.ts'
import type { Tone } from './show.tsx'

type Kind = SessionResult<'listSourceHealth'>['sources'][number]['warnings'][number]['kind']

const serious: readonly Kind[] = ['failing', 'out_of_credits', 'webhook_disabled', 'outreach_paused']

/** The colour of a warning about a source. */
export const warningTone = (kind: Kind): Tone => (serious.includes(kind) ? 'bad' : kind === 'no_icp' ? 'info' : 'warn')

/** True while nothing says which leads of a source fit: then there is no share that does. */
export const lacksCriteria = (source: { readonly hasCriteria: boolean; readonly icpLeads: number }): boolean =>
  !source.hasCriteria && source.icpLeads === 0
