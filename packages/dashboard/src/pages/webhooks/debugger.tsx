import { CircleCheck, CircleX } from 'lucide-react'
import { useState } from 'react'
import { useSessionMutation, useTeam, type SessionResult } from '../../api/index.ts'
import { Button, Card, CodeBlock, Notice, Tabs, TextField } from '../../ui/index.ts'
import { snippets } from './snippets.ts'

function Findings({ report }: { report: SessionResult<'debugSignature'> }) {
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

function Debugger() {
  const { can } = useTeam()
  const [headers, setHeaders] = useState('')
  const [body, setBody] = useState('')
  const [secret, setSecret] = useState('')
  const check = useSessionMutation('debugSignature', { quiet: true })
  const writes = can('member')
  return (
    <Card title="Why does my check fail?" text="Paste a request as your server received it. Nothing of it is kept.">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          check.mutate({ headers, body, ...(secret.trim() === '' ? {} : { secret: secret.trim() }) })
        }}
      >
        {!writes && <Notice>Only members may check signatures.</Notice>}

        <TextField
          label="Headers"
          hint="A line each, with all the headers there were."
          rows={6}
          controlClass="font-mono text-xs"
          value={headers}
          onValue={setHeaders}
          maxLength={20_000}
          spellCheck={false}
          placeholder={'X-Service-Timestamp: 1764000000\nX-Service-Signature: v1=5f2c…'}
        />
        <TextField
          label="Body"
          hint="The exact text, before anything parsed it: one space more or less changes the signature."
          rows={6}
          controlClass="font-mono text-xs"
          value={body}
          onValue={setBody}
          maxLength={200_000}
          spellCheck={false}
          placeholder={'{"event":"lead.detected",…}'}
        />

        <TextField
          label="Secret your server uses"
          optional
          error={check.isError ? check.error.message : undefined}
          hint="Empty: the team’s own secret."
          controlClass="font-mono"
          value={secret}
          onValue={setSecret}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          placeholder="whsec_…"
        />
        <div>
          <Button
            type="submit"
            variant="primary"
            reason={
              writes ? headers.trim() === '' && 'Paste the headers first.' : 'Only members may check a signature.'
            }
            busy={check.isPending}
          >
            Check the signature
          </Button>
        </div>
      </form>
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
          'Each delivery is signed with the team’s secret, which the Webhook ' +
          'tab of any source shows to members. Check it before you trust a byte.'
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
