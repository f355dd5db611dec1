import { useState, type ReactNode } from 'react'
import { Card, DataTable, Notice, SafeLink, Stat, Tabs, count, countOf, type Column } from '../../ui/index.ts'
import { changeWords, costWords, peopleHint, type WordDifference } from './difference-words.ts'
import { Verdicts, postDifference, type Verdict } from './verdicts.tsx'

type Person = WordDifference['gainedPeople'][number]
type Kind = 'gained' | 'lost' | 'near'

const columns: readonly Column<Person>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: (person) => <SafeLink href={person.linkedinUrl}>{person.name ?? 'Name unknown'}</SafeLink>,
  },
  { id: 'title', header: 'Job title', cell: (person) => person.jobTitle ?? '–' },
  { id: 'company', header: 'Company', wide: true, cell: (person) => person.company ?? '–' },
  { id: 'country', header: 'Country', wide: true, cell: (person) => person.country ?? '–' },
]

/** The people behind posts that are gained, lost or missed. */
function People({ kind, difference }: { readonly kind: Kind; readonly difference: WordDifference }): ReactNode {
  const shown = difference[`${kind}People`]
  const total = difference.people[kind]
  if (total === 0) return null
  return (
    <div className="flex flex-col gap-1 border-b border-line p-4">
      <p className="text-sm font-medium">
        {countOf(total, 'person', 'people')} known
        {total > shown.length && `, the newest ${shown.length} shown`}
      </p>
      <DataTable
        label={`People ${kind === 'near' ? 'on near misses' : kind}`}
        columns={columns}
        rows={shown}
        rowId={({ leadId }) => leadId}
      />
    </div>
  )
}

/** How many posts and people a change gains and loses, and what it costs. */
function Figures({
  difference,
  posts,
}: {
  readonly difference: WordDifference
  readonly posts: readonly Verdict[]
}): ReactNode {
  const of = postDifference(posts)
  const { people } = difference
  return (
    <>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-4" role="status">
        <Stat label="Posts kept now" value={count(posts.filter((post) => post.now).length)} hint={difference.words} />
        <Stat
          label="Would be kept"
          value={count(posts.filter((post) => post.kept).length)}
          hint={`of ${count(posts.length)}`}
        />
        <Stat label="People gained" value={count(people.gained)} hint={countOf(of.gained.length, 'post')} />
        <Stat label="People lost" value={count(people.lost)} hint={countOf(of.lost.length, 'post')} />
      </div>
      <div className="flex flex-col gap-0.5 text-sm">
        <p className="font-medium">{changeWords(difference)}</p>
        <p>{costWords(difference)}</p>
        <p className="text-[0.8125rem] text-muted">{peopleHint(difference.isExpression)}</p>
      </div>
    </>
  )
}

/** A change of words against the words a search has: posts and people it gains and loses, near misses, and what it costs. */
export function Difference({
  difference,
  posts,
}: {
  readonly difference: WordDifference
  readonly posts: readonly Verdict[]
}): ReactNode {
  const of = postDifference(posts)
  const [open, setOpen] = useState<Kind | 'all'>(of.gained.length > 0 ? 'gained' : of.lost.length > 0 ? 'lost' : 'all')
  const tab = (value: Kind, word: string, none: string) => ({
    value,
    label: `${word} (${count(of[value].length)})`,
    content:
      of[value].length === 0 ? (
        <p className="p-4 text-sm text-muted">{none}</p>
      ) : (
        <>
          <People kind={value} difference={difference} />
          <Verdicts posts={of[value]} />
        </>
      ),
  })
  return (
    <>
      <Figures difference={difference} posts={posts} />
      {!difference.isWhole && <Notice>Only the newest 50,000 leads on these posts were looked at.</Notice>}
      <Card flush title="What would change">
        <Tabs
          label="What would change"
          value={open}
          onValue={setOpen}
          tabs={[
            tab('gained', 'Gained', 'No post that is discarded now would be kept.'),
            tab('lost', 'Lost', 'No post that is kept now would be discarded.'),
            tab('near', 'Near misses', 'A near miss meets all parts but one, of several that are joined by AND.'),
            { value: 'all', label: `All (${count(posts.length)})`, content: <Verdicts posts={posts} /> },
          ]}
        />
      </Card>
    </>
  )
}
