import { CircleCheck, CircleX } from 'lucide-react'
import { useState } from 'react'
import { useWrite, type ResultOf } from '../../api/index.ts'
import { useRefusal } from '../../ui/button.tsx'
import { useForm } from '../../ui/edited.ts'
import { FormFields, SaveForm, type FormField } from '../../ui/form.tsx'
import { Tabs } from '../../ui/page.tsx'
import { Card, Notice } from '../../ui/show.tsx'
import { CodeBlock } from '../../ui/text.tsx'
import { snippets } from './snippets.ts'

function Findings({ report }: { report: ResultOf<'debugSignature'> }) {
  return (
    <section aria-label="Findings" aria-live="polite" className="mt-5 flex flex-col gap-3">
      <Notice
        tone={report.valid ? 'good' : 'bad'}
        title={report.valid ? 'The signature is right' : 'The signature is not right'}
      />
      <ul className="flex flex-col gap-2">
        {report.findings.map((finding) => (
          <li key={finding.text} className="flex items-start gap-2 text-sm">
            {finding.ok ? (
              <CircleCheck aria-label="Right:" size={17} className="mt-0.5 shrink-0 text-accent-text" />
            ) : (
              <CircleX aria-label="Wrong:" size={17} className="mt-0.5 shrink-0 text-danger-text" />
            )}
            <span className="min-w-0 break-words">{finding.text}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

type Form = { headers: string; body: string; secret: string }

const fields: readonly FormField<Form>[] = [
  {
    name: 'headers',
    label: 'Headers',
    hint: 'One per line, with every header that was received.',
    rows: 6,
    controlClass: 'font-mono text-xs',
    maxLength: 20_000,
    spellCheck: false,
    placeholder: 'X-Service-Timestamp: 1764000000\nX-Service-Signature: v1=5f2c…',
  },
  {
    name: 'body',
    label: 'Body',
    hint: 'The exact text, before any parsing: one space more or less changes the signature.',
    rows: 6,
    controlClass: 'font-mono text-xs',
    maxLength: 200_000,
    spellCheck: false,
    placeholder: '{"event":"lead.detected",…}',
  },
  {
    name: 'secret',
    label: 'Secret your server uses',
    optional: true,
    hint: 'Empty: the team’s own secret.',
    controlClass: 'font-mono',
    maxLength: 200,
    autoComplete: 'off',
    spellCheck: false,
    placeholder: 'whsec_…',
  },
]

function Debugger() {
  const refusal = useRefusal()
  const [form, change] = useForm<Form>({ headers: '', body: '', secret: '' })
  const check = useWrite('debugSignature', { quiet: true })
  const secret = form.secret.trim()
  return (
    <Card title="Why does my check fail?" text="Paste a request as your server received it. It is not stored.">
      <SaveForm
        submit="Check the signature"
        busy={check.isPending}
        error={check.error}
        reason={form.headers.trim() === '' && 'Paste the headers first.'}
        onSave={() => check.mutate({ headers: form.headers, body: form.body, ...(secret === '' ? {} : { secret }) })}
      >
        {refusal !== null && <Notice>Only members may check signatures.</Notice>}
        <FormFields fields={fields} form={form} onChange={change} />
      </SaveForm>
      {check.data && <Findings report={check.data} />}
    </Card>
  )
}

export function Verify() {
  const [language, setLanguage] = useState('node')
  return (
    <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-2">
      <Card
        title="Check a delivery in your code"
        text={
          'Each delivery is signed with the team’s secret, which the Webhook tab of any source shows to members. Check it before you trust the content.'
        }
      >
        <Tabs
          label="Language"
          value={language}
          onValue={setLanguage}
          tabs={snippets.map(({ id, name, code }) => ({
            value: id,
            label: name,
            content: <CodeBlock label={name} code={code} maxHeight={520} />,
          }))}
        />
        <p className="mt-4 text-sm text-muted">
          The headers <code className="font-mono text-xs">webhook-id</code>,{' '}
          <code className="font-mono text-xs">webhook-timestamp</code> and{' '}
          <code className="font-mono text-xs">webhook-signature</code> are sent too: any Standard Webhooks library
          checks them with the same secret.
        </p>
      </Card>
      <Debugger />
    </div>
  )
}
