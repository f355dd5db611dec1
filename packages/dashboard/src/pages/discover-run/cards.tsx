import type { ReactNode } from 'react'
import { Avatar, Checkbox, SafeLink, count } from '../../ui/index.ts'
import { nameOf, type Person } from './person.ts'
import { TrackButton } from './track-button.tsx'

const averages = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

/** An average with one decimal at most. */
export const average = (value: number): string => averages.format(value)

function Card({
  person,
  chosen,
  onChosen,
}: {
  readonly person: Person
  readonly chosen: boolean
  readonly onChosen: (chosen: boolean) => void
}): ReactNode {
  return (
    <li className="flex min-w-0 flex-col gap-3 rounded-xl border border-line bg-surface p-4 text-sm">
      <div className="flex items-start gap-3">
        <Avatar src={person.avatarUrl} name={nameOf(person)} size={44} />
        <div className="min-w-0 flex-1">
          <p className="font-medium break-words">
            <SafeLink href={person.linkedinUrl} icon={false}>
              {nameOf(person)}
            </SafeLink>
          </p>
          <p className="break-words text-muted">
            {[person.jobTitle, person.company].filter(Boolean).join(' at ') || 'Details are being looked up'}
          </p>
          {person.country && <p className="text-[0.8125rem] text-muted">{person.country}</p>}
        </div>
        <Checkbox label={`Choose ${nameOf(person)}`} hideLabel checked={chosen} onChecked={onChosen} />
      </div>
      <dl className="grid grid-cols-3 gap-2 text-center">
        {(
          [
            ['engagements a post', average(person.averageEngagement)],
            ['on the best post', count(person.highestEngagement)],
            [person.postCount === 1 ? 'post found' : 'posts found', count(person.postCount)],
          ] as const
        ).map(([label, value]) => (
          <div key={label} className="flex flex-col-reverse rounded-lg bg-sunken py-1.5">
            <dt className="text-xs text-muted">{label}</dt>
            <dd className="font-semibold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {person.topPostText && <p className="line-clamp-4 break-words text-[0.8125rem]">{person.topPostText}</p>}
      <div className="mt-auto flex flex-wrap items-center justify-between gap-2 text-[0.8125rem]">
        <SafeLink href={person.topPostUrl}>Best post</SafeLink>
        <TrackButton person={person} />
      </div>
    </li>
  )
}

/** The people of a run as cards. */
export function Cards({
  people,
  chosen,
  onToggle,
}: {
  readonly people: readonly Person[]
  readonly chosen: ReadonlySet<string>
  readonly onToggle: (url: string, chosen: boolean) => void
}): ReactNode {
  return (
    <ul aria-label="People" className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
      {people.map((person) => (
        <Card
          key={person.linkedinUrl}
          person={person}
          chosen={chosen.has(person.linkedinUrl)}
          onChosen={(next) => onToggle(person.linkedinUrl, next)}
        />
      ))}
    </ul>
  )
}
