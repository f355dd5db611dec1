/** Excludes people and companies wherever they are shown, from a menu, with undo. */
import { exclusionListInWords, excludedInWords } from '@les/contract'
import { Ban } from 'lucide-react'
import { ask, useMe, useRefresh, type InputOf, type ResultOf } from '../../api/index.ts'
import { Button, IconButton, useRefusal } from '../../ui/button.tsx'
import { countOf } from '../../ui/format.ts'
import { Menu, type MenuEntry } from '../../ui/menu.tsx'
import { Badge } from '../../ui/show.tsx'
import { toast } from '../../ui/toast.tsx'
import { newestOf } from './just-added.ts'

type Entry = InputOf<'addExclusions'>['entries'][number]
type Removed = ResultOf<'listExclusions'>['entries'][number]

type Lead = ResultOf<'listLeads'>['leads'][number]
type Person = Pick<Lead, 'name' | 'linkedinUrl' | 'excluded'> &
  Partial<Pick<Lead, 'companyName' | 'companyLinkedinUrl' | 'companyDomain'>>

/** Undo is offered for at most this many: the ids of more would not fit one page. */
const mostUndone = 100

async function justAdded(entries: readonly Entry[], added: number, email: string): Promise<readonly string[]> {
  const listed = await ask('listExclusions', { kind: entries[0]!.kind as Removed['kind'], limit: mostUndone })
  const own = listed.entries.filter(({ createdBy }) => createdBy === email)
  return newestOf(entries, own, added)
}

const refusedInWords = (
  entries: readonly Entry[],
  invalid: readonly { readonly index: number; readonly error: string }[],
): string =>
  invalid
    .slice(0, 3)
    .map(({ index, error }) => `Not excluded: “${entries[index]!.value}”: ${error}. `)
    .join('')

/** Adds and removes entries, reports the result, and offers undo. */
export function useExclude() {
  const refresh = useRefresh()
  const { user } = useMe()
  /** Runs `work`; false after a failure, which is shown. */
  const withErrorToast = async (work: () => Promise<void>): Promise<boolean> => {
    try {
      await work()
      return true
    } catch (error) {
      toast.bad(error instanceof Error ? error.message : String(error))
      return false
    } finally {
      refresh(['leads', 'agent', 'slow'])
    }
  }
  const add = (entries: readonly Entry[], what: string, list?: string) =>
    withErrorToast(async () => {
      const answer = await ask('addExclusions', { entries: [...entries], ...(list === undefined ? {} : { list }) })
      if ('dryRun' in answer) return
      const { added, invalid, matchingLeads } = answer
      const refused = refusedInWords(entries, invalid)
      if (added === 0 && refused === '') return void toast.info(`Excluded already: ${what}`)
      if (added === 0) throw new Error(refused)
      const ids = added > mostUndone ? [] : await justAdded(entries, added, user.email)
      const shown = toast.good(
        `Excluded: ${refused === '' ? what : `${added} of ${entries.length} entries`}`,
        matchingLeads === 0
          ? 'No lead of theirs has been captured so far.'
          : `${countOf(matchingLeads, 'lead')} of theirs will not be delivered.`,
        ids.length === 0
          ? undefined
          : {
              label: 'Undo',
              onClick: () => {
                toast.close(shown)
                void withErrorToast(async () => {
                  for (const id of ids) await ask('removeExclusion', { id })
                  toast.info(`Undone: ${what}`)
                })
              },
            },
      )
      if (refused !== '') throw new Error(refused)
    })
  /** Removes an entry; one known only by its id cannot be undone. */
  const remove = (id: string, what: string, entry?: Removed) =>
    withErrorToast(async () => {
      const { heldBy } = await ask('removeExclusion', { id })
      const undo = entry && {
        label: 'Undo',
        onClick: () => {
          toast.close(shown)
          const { kind, value, list, reason } = entry
          const values = heldBy === undefined ? [value] : [value, heldBy]
          void add(
            values.map((each) => ({ kind, value: each, reason })),
            value,
            list,
          )
        },
      }
      const text = 'Leads left out in the meantime are sent only if you push them.'
      const shown = toast.good(`No longer excluded: ${what}`, text, undo)
    })
  return { add, remove }
}

/** The entry for a company: its page, else its domain. */
function companyEntry({ companyLinkedinUrl, companyDomain }: Person): Entry | null {
  if (companyLinkedinUrl) return { kind: 'company', value: companyLinkedinUrl }
  return companyDomain ? { kind: 'domain', value: companyDomain } : null
}

/** The exclusion menu for a person or their company: an icon in a row, a button in a drawer. */
export function ExcludeMenu({ person, inRow = false }: { person: Person; inRow?: boolean }) {
  const { add, remove } = useExclude()
  const refusal = useRefusal()
  const name = person.name ?? 'this person'
  const entry = companyEntry(person)
  const company = person.companyName ?? person.companyDomain ?? 'their company'
  const { excluded } = person
  const entries: readonly MenuEntry[] = [
    ...(excluded?.entryId
      ? [
          {
            label: `Deliver again: remove from “${exclusionListInWords(excluded.list)}”`,
            reason: refusal,
            onSelect: () => void remove(excluded.entryId!, name),
          },
        ]
      : []),
    {
      label: 'Exclude this person',
      reason: refusal ?? (excluded?.entryId ? 'They are excluded already.' : null),
      onSelect: () => void add([{ kind: 'person', value: person.linkedinUrl }], name),
    },
    {
      label: `Exclude everybody at ${company}`,
      reason: refusal ?? (entry === null ? 'Where they work is not known.' : null),
      onSelect: () => entry && void add([entry], `everybody at ${company}`),
    },
  ]
  return (
    <Menu
      trigger={
        inRow ? (
          <IconButton size="sm" tip={false} label={`Exclude ${name}`} icon={Ban} />
        ) : (
          <Button icon={Ban}>Exclude</Button>
        )
      }
      entries={entries}
    />
  )
}

/** The badge of an excluded person; its tooltip says why. */
export function ExcludedBadge({ excluded }: { excluded: NonNullable<Lead['excluded']> }) {
  return (
    <span data-tip={excludedInWords(excluded)}>
      <Badge tone="warn" icon={Ban}>
        Excluded
      </Badge>
    </span>
  )
}
