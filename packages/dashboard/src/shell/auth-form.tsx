import { useState, type FormEvent, type ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Field, Input } from '../ui/field.tsx'
import { inWords } from './auth.ts'

/** A field of a form of the sign-in pages. */
export type AuthField = {
  readonly name: string
  readonly label: string
  readonly type?: 'text' | 'email' | 'password'
  readonly autoComplete: string
  readonly hint?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly value?: string
  readonly readOnly?: boolean
}

/** A few fields and one button; a refusal is said in words above the button. */
export function AuthForm({
  fields,
  submit,
  onSubmit,
}: {
  readonly fields: readonly AuthField[]
  readonly submit: string
  readonly onSubmit: (values: Readonly<Record<string, string>>) => Promise<unknown>
}): ReactNode {
  // The first field that still wants something.
  const first = fields.findIndex(({ value }) => value === undefined)
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<string | null>(null)
  const run = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy) return
    const values = Object.fromEntries(
      [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)]),
    )
    setBusy(true)
    setFailed(null)
    try {
      await onSubmit(values)
    } catch (error) {
      setFailed(inWords(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void run(event)} className="flex flex-col gap-4">
      {fields.map(({ name, label, hint, type = 'text', value, ...rest }, index) => (
        <Field key={name} label={label} hint={hint}>
          <Input name={name} type={type} required autoFocus={index === first} defaultValue={value} {...rest} />
        </Field>
      ))}
      {failed && (
        <p role="alert" className="rounded-md bg-danger-soft px-3 py-2 text-sm text-danger-text">
          {failed}
        </p>
      )}
      <Button type="submit" variant="primary" size="lg" busy={busy}>
        {submit}
      </Button>
    </form>
  )
}
