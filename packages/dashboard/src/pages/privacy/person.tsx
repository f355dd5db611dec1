import { personExportAddress, useWrite, type ResultOf } from '../../api/index.ts'
import { useForm } from '../../ui/edited.ts'
import { bound, TextField } from '../../ui/field.tsx'
import { ActButton, FormDialog, WindowButton } from '../../ui/form.tsx'
import { countOf } from '../../ui/format.ts'
import { DownloadLink } from '../../ui/link.tsx'
import { Badge, Facts } from '../../ui/show.tsx'
import { SafeLink, TimeAgo } from '../../ui/text.tsx'

type Person = ResultOf<'searchPeople'>['people'][number]

const nameOf = ({ name }: Person): string => name ?? 'this person'

/** Erases a person; the name must be typed, since nothing can be undone. */
function EraseDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const [form, change] = useForm({ typed: '', reason: '' })
  const word = person.name ?? 'erase'
  const erase = useWrite('createErasure', {
    quiet: true,
    done: 'Erased. The receipt is under Receipts.',
    onSuccess: onClose,
  })
  const isSure = form.typed.trim() === word
  const reason = form.reason.trim()
  return (
    <FormDialog
      onClose={onClose}
      title={`Erase ${nameOf(person)}?`}
      text="This cannot be undone."
      submit="Erase for good"
      busy={erase.isPending}
      error={erase.error}
      onSubmit={() => isSure && erase.mutate({ personId: person.personId, ...(reason === '' ? {} : { reason }) })}
    >
      <ul className="list-disc pl-5 text-sm">
        <li>Deleted: {countOf(person.leads, 'lead')}, with every fact, delivery, score and stored answer.</li>
        <li>
          Exclusions, logs and audit entries no longer name them. If they are tracked as a source, that source is
          untracked.
        </li>
        <li>From then on they are not captured or charged. The ledger keeps its amounts, without naming them.</li>
        <li>
          Webhooks that received their data are told to erase it too. An outreach platform is not: remove them there
          yourself.
        </li>
      </ul>
      <TextField
        label={`Type “${word}” to confirm`}
        required
        autoComplete="off"
        error={form.typed !== '' && !isSure && !word.startsWith(form.typed.trim()) && 'That does not match.'}
        {...bound(form, change, 'typed')}
      />
      <TextField
        label="Reason"
        optional
        hint="Do not name the person in it."
        maxLength={500}
        {...bound(form, change, 'reason')}
      />
    </FormDialog>
  )
}

function Acts({ person }: { person: Person }) {
  return (
    <div className="flex flex-wrap gap-2">
      <DownloadLink href={personExportAddress(person.personId)} download={`person-${person.personId}.json`} size="sm">
        Export
      </DownloadLink>
      {person.linkedinUrl !== null && (
        <ActButton
          size="sm"
          does="createObjection"
          input={{ profileUrl: person.linkedinUrl }}
          done={({ repeated }) =>
            repeated ? 'They were already excluded' : 'They are no longer delivered; the entry is under Exclusions'
          }
          asks={{
            title: `Stop every delivery of ${nameOf(person)}?`,
            text: 'For somebody who objects without asking to be erased. They are added to the “Do not contact” list; the data held about them stays.',
            confirm: 'Stop deliveries',
          }}
        >
          Object
        </ActButton>
      )}
      <WindowButton size="sm" variant="danger" opens={(close) => <EraseDialog person={person} onClose={close} />}>
        Erase
      </WindowButton>
    </div>
  )
}

export function PersonCard({ person }: { person: Person }) {
  return (
    <li className="flex flex-wrap items-start justify-between gap-3 px-4 py-3">
      <div className="flex min-w-0 flex-col gap-1.5">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {person.name ?? (person.erasedAt === null ? 'Name not known' : 'Somebody who was erased')}
          {person.erasedAt !== null && <Badge tone="info">Erased</Badge>}
        </p>
        <Facts
          facts={[
            ['Profile', person.linkedinUrl && <SafeLink href={person.linkedinUrl}>{person.linkedinUrl}</SafeLink>],
            ['Leads', person.erasedAt === null && countOf(person.leads, 'lead')],
            ['First seen', person.firstSeenAt && <TimeAgo at={person.firstSeenAt} />],
            ['Erased', person.erasedAt && <TimeAgo at={person.erasedAt} />],
          ]}
        />
      </div>
      {person.erasedAt === null && <Acts person={person} />}
    </li>
  )
}
