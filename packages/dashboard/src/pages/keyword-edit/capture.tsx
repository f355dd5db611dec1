import { creditAPersonSaid } from '@les/contract'
import type { ReactNode } from 'react'
import { bounds } from 'virtual:values'
import { Card, Field, Input, Select, Switch } from '../../ui/index.ts'
import type { Change, Draft } from './draft.ts'

function People({ draft, onChange }: { readonly draft: Draft; readonly onChange: Change }): ReactNode {
  return (
    <>
      <Field
        label="Spread over posts"
        hint={
          draft.captureMode === 'depth'
            ? 'Posts are worked through one after the other, each to its end.'
            : 'A few people of each post, so that many posts are covered.'
        }
      >
        <Select
          value={draft.captureMode}
          onValue={(captureMode) => onChange({ captureMode })}
          choices={[
            { value: 'depth', label: 'Many people per post' },
            { value: 'breadth', label: 'Few people of many posts' },
          ]}
        />
      </Field>
      {draft.captureMode === 'breadth' && (
        <Field label="People a post at most" optional>
          <Input
            inputMode="numeric"
            value={draft.maxEngagementsPerPost}
            onChange={(event) => onChange({ maxEngagementsPerPost: event.target.value })}
          />
        </Field>
      )}
      <div className="flex flex-col gap-3 sm:col-span-2">
        <Switch
          checked={draft.captureEngagers}
          onChecked={(captureEngagers) =>
            onChange({ captureEngagers, ...(captureEngagers ? {} : { capturePostAuthors: true }) })
          }
          label="Capture who reacts and comments"
          hint={`${creditAPersonSaid}.`}
        />
        <Switch
          checked={draft.capturePostAuthors}
          onChecked={(capturePostAuthors) =>
            onChange({ capturePostAuthors, ...(capturePostAuthors ? {} : { captureEngagers: true }) })
          }
          label="Capture the authors of the posts"
        />
        <Switch
          checked={draft.captureReplies}
          onChecked={(captureReplies) => onChange({ captureReplies })}
          label="Capture replies to comments"
          reason={!draft.captureEngagers && 'Only where those who react and comment are captured.'}
        />
      </div>
    </>
  )
}

/** Who is captured from the posts, and what a run may spend. */
export function Capture({ draft, onChange }: { readonly draft: Draft; readonly onChange: Change }): ReactNode {
  return (
    <Card title="What to capture">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Capture">
          <Select
            value={draft.mode}
            onValue={(mode) => onChange({ mode })}
            choices={[
              { value: 'engagers', label: 'People who engage' },
              { value: 'posts_only', label: 'Posts only, nobody' },
            ]}
          />
        </Field>
        {draft.mode === 'posts_only' && (
          <Field label="Posts a run" hint={`From ${bounds.postsPerSync.min} to ${bounds.postsPerSync.max}.`}>
            <Input
              inputMode="numeric"
              value={draft.postsPerSync}
              onChange={(event) => onChange({ postsPerSync: event.target.value })}
            />
          </Field>
        )}
        <Field label="Credits a run may use" hint="The run stops there.">
          <Input
            inputMode="numeric"
            value={draft.creditCap}
            onChange={(event) => onChange({ creditCap: event.target.value })}
          />
        </Field>
        {draft.mode === 'engagers' && <People draft={draft} onChange={onChange} />}
        <div className="sm:col-span-2">
          <Switch
            checked={draft.enrichLeads}
            onChecked={(enrichLeads) => onChange({ enrichLeads })}
            label="Look up each person’s job, company and country"
            hint="Off: they are kept as raw leads, which are not judged and not sent."
          />
        </div>
      </div>
    </Card>
  )
}
