/** The selection as triggers and actions of a Zapier app, from which `integrations/zapier/app/index.ts` builds the app. */
import { eventExamples, recordedExamples, type EventName } from '../../packages/contract/src/index.ts'
import { keyOf, labelOf, readActions, type Action, type Field } from './read.ts'
import { beginnings } from './selection.ts'

type Json = Readonly<Record<string, unknown>>

const types: Readonly<Record<Field['kind'], string>> = {
  text: 'string',
  texts: 'string',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  instant: 'datetime',
  json: 'text',
}

const inputField = ({ name, kind, choices, required, description }: Field): Json => ({
  key: name,
  label: labelOf(name),
  type: types[kind],
  required,
  ...(kind === 'texts' ? { list: true } : {}),
  ...(choices.length > 0 ? { choices: Object.fromEntries(choices.map((each) => [each, labelOf(each)])) } : {}),
  ...(description === '' ? {} : { helpText: `${description}.` }),
})

/** Fields inside and outside a row. A search shows the first page only, so it takes no paging. */
function sentFields({ fields, each, zapier }: Action) {
  const asked = fields.filter(({ name }) => zapier !== 'search' || (name !== 'limit' && name !== 'offset'))
  return { asked, inRow: asked.filter(({ property }) => property.startsWith(`${each}[0]`)).map(({ name }) => name) }
}

function describeAction(action: Action): Json {
  const { id, name, resource, zapier, summary, description, method, path, charges, preset = {}, each, list } = action
  const { asked, inRow } = sentFields(action)
  const noun = labelOf(resource)
  const label = zapier === 'search' ? `Find ${noun}` : name.includes(' ') ? name : `${name} ${noun}`
  const [answer] = Object.values(recordedExamples.operations[id]!.answers) as [Json]
  return {
    type: zapier,
    key: keyOf(label),
    noun,
    display: { label, description: `${summary}. ${description}` },
    request: { method, path, charges, preset, ...(each ? { each, inRow } : {}), list },
    inputFields: asked.map(inputField),
    sample: list === null ? answer : (answer[list] as readonly Json[])[0],
  }
}

const trigger = ([event, { name, noun, when }]: [string, (typeof beginnings)[keyof typeof beginnings]]): Json => ({
  event,
  key: keyOf(name),
  noun,
  display: { label: name, description: `Triggers when ${when}.` },
  sample: eventExamples[event as EventName],
})

export const zapierActions = (): string =>
  `${JSON.stringify(
    {
      triggers: Object.entries(beginnings).map(trigger),
      actions: readActions()
        .filter(({ zapier }) => zapier !== undefined)
        .map(describeAction),
    },
    null,
    2,
  )}\n`
