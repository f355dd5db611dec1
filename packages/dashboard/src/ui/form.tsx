import { useId, useState, type ComponentProps, type ReactNode } from 'react'
import { useWrite } from '../api/hooks.ts'
import type { WriteId } from '../api/topics.ts'
import type { InputOf, ResultOf } from '../api/types.ts'
import { Button, cx, RoleButton, type Reason } from './button.tsx'
import { ConfirmDialog, Dialog } from './dialog.tsx'
import { SelectField, Switch, TextField, type Choice } from './field.tsx'
import { ListField } from './list-field.tsx'
import { Failure } from './show.tsx'

type FieldOf<T, V> = {
  readonly label: string
  readonly hint?: ReactNode | ((form: T) => ReactNode)
  readonly optional?: boolean
  readonly error?: ReactNode | ((form: T) => ReactNode)
  readonly wide?: boolean
  readonly when?: (form: T) => boolean
  readonly reason?: (form: T) => Reason
  /** What a new value changes, if more than the field itself. */
  readonly set?: (value: V) => Partial<T>
} & ([V] extends [boolean]
  ? unknown
  : [V] extends [readonly string[]]
    ? Pick<ComponentProps<typeof ListField>, 'max' | 'placeholder'>
    :
        | { readonly choices: readonly Choice<V & string>[] }
        | Omit<
            ComponentProps<typeof TextField>,
            'label' | 'hint' | 'error' | 'optional' | 'reason' | 'name' | 'value' | 'onValue'
          >)

/** Choices from a table of labels, in its order. */
export const choicesOf = <V extends string>(labels: Readonly<Record<V, string>>): readonly Choice<V>[] =>
  Object.entries<string>(labels).map(([value, label]) => ({ value: value as V, label }))

/** A field in the table of a form; its control follows from the type of its value. */
export type FormField<T> = { [K in keyof T & string]: { readonly name: K } & FieldOf<T, T[K]> }[keyof T & string]

type AnyField<T> = { readonly name: keyof T & string } & FieldOf<T, boolean> & { readonly choices?: unknown }

type FormFieldsProps<T extends object> = {
  fields: readonly FormField<T>[]
  form: T
  onChange: (part: Partial<T>) => void
  reason?: Reason
}

/** The fields of a form, from their table; `reason`: why none can be changed. */
export function FormFields<T extends object>({ fields, form, onChange, reason: locked }: FormFieldsProps<T>) {
  return (fields as unknown as readonly AnyField<T>[])
    .filter(({ when }) => when?.(form) ?? true)
    .map(({ name, hint, error, wide, when: _, reason, set, ...field }) => {
      const value: unknown = form[name]
      const control = {
        ...field,
        value,
        hint: typeof hint === 'function' ? hint(form) : hint,
        error: typeof error === 'function' ? error(form) : error,
        reason: locked || reason?.(form),
        onValue: (next: unknown) => onChange(set?.(next as boolean) ?? ({ [name]: next } as Partial<T>)),
      }
      return (
        <div key={name} className={wide ? 'sm:col-span-full' : undefined}>
          {typeof value === 'boolean' ? (
            <Switch {...control} value={value} />
          ) : Array.isArray(value) ? (
            <ListField {...(control as unknown as ComponentProps<typeof ListField>)} />
          ) : field.choices === undefined ? (
            <TextField {...control} value={value as string} />
          ) : (
            <SelectField {...(control as unknown as ComponentProps<typeof SelectField>)} />
          )}
        </div>
      )
    })
}

/** A form that a button, or Enter, saves; `others` stand next to the button. */
export function SaveForm({
  submit = 'Save',
  needs,
  reason,
  busy,
  error,
  onSave,
  others,
  className,
  children,
}: {
  readonly submit?: string
  readonly needs?: 'member' | 'owner'
  readonly reason?: Reason
  readonly busy: boolean
  readonly error?: Error | null
  readonly onSave: () => void
  readonly others?: ReactNode
  readonly className?: string
  readonly children: ReactNode
}) {
  return (
    <form
      className={cx('flex flex-col gap-4', className)}
      onSubmit={(event) => {
        event.preventDefault()
        onSave()
      }}
    >
      {children}
      <Failure error={error} />
      <div className="flex flex-wrap gap-2">
        <RoleButton needs={needs} variant="primary" type="submit" busy={busy} reason={reason}>
          {submit}
        </RoleButton>
        {others}
      </div>
    </form>
  )
}

type FormDialogProps = Omit<ComponentProps<typeof Dialog>, 'cancel'> & {
  readonly submit: string
  readonly reason?: Reason
  readonly busy: boolean
  readonly error?: Error | null
  readonly onSubmit: () => void
}

/** A window with a form that Enter or the button submits; with `actions` nothing is submitted. */
export function FormDialog({ submit, reason, busy, error, onSubmit, actions, children, ...dialog }: FormDialogProps) {
  const id = useId()
  const button = (
    <Button variant="primary" type="submit" form={id} reason={reason} busy={busy}>
      {submit}
    </Button>
  )
  return (
    <Dialog {...dialog} cancel={!actions} actions={actions ?? button}>
      <form
        id={id}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
      >
        {children}
        <Failure error={error} />
      </form>
    </Dialog>
  )
}

export function WindowButton({
  opens,
  ...button
}: ComponentProps<typeof RoleButton> & { readonly opens: (close: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <RoleButton {...button} onClick={() => setOpen(true)} />
      {isOpen && opens(() => setOpen(false))}
    </>
  )
}

type Asks = Pick<ComponentProps<typeof ConfirmDialog>, 'title' | 'text' | 'confirm'>

type ConfirmButtonProps = ComponentProps<typeof RoleButton> &
  Asks &
  Pick<ComponentProps<typeof ConfirmDialog>, 'onConfirm'>

/** A button that asks before something that cannot be undone; the window stays open with the message on failure. */
export function ConfirmButton({ title, text, confirm, onConfirm, ...button }: ConfirmButtonProps) {
  const asks = { title, text, confirm, onConfirm }
  return <WindowButton {...button} opens={(close) => <ConfirmDialog {...asks} danger onClose={close} />} />
}

type ActButtonProps<Id extends WriteId> = ComponentProps<typeof RoleButton> & {
  readonly does: Id
  readonly input: InputOf<Id>
  readonly done?: string | ((result: ResultOf<Id>) => string)
  readonly onDone?: (result: ResultOf<Id>) => unknown
  /** What it asks before. */
  readonly asks?: Asks
}

/** A button that calls an operation, and says so when it is done. */
export function ActButton<Id extends WriteId>({ does, input, done, onDone, asks, ...button }: ActButtonProps<Id>) {
  const write = useWrite(does, { done, onSuccess: onDone, quiet: asks !== undefined })
  if (asks) return <ConfirmButton {...button} {...asks} onConfirm={() => write.mutateAsync(input)} />
  return <RoleButton {...button} busy={write.isPending} onClick={() => write.mutate(input)} />
}
