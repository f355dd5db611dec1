/** What each kind of destination asks for, and where its platform shows it. */
import type { destinationKinds } from '@les/contract'
import { bounds } from 'virtual:values'
import type { ResultOf } from '../../api/index.ts'
import type { FormField } from '../../ui/form.tsx'

export type Destination = ResultOf<'getDestination'>
export type Kind = (typeof destinationKinds)[number]

/** The fields of all kinds; each kind shows those in its list. */
export const blank = {
  name: '',
  url: '',
  webhookUrl: '',
  accessToken: '',
  createCompanies: true,
  notes: true,
  spreadsheetId: '',
  sheet: '',
  serviceAccount: '',
  endpoint: '',
  region: '',
  bucket: '',
  prefix: '',
  pathStyle: false,
  accessKeyId: '',
  secretAccessKey: '',
  instanceUrl: '',
  object: 'Lead' as 'Lead' | 'Contact',
  clientId: '',
  clientSecret: '',
}
export type KindForm = typeof blank
type Name = keyof KindForm

const name = { name: 'name', label: 'Name', required: true, maxLength: bounds.destinationName } as const

/** The fields of a new destination: its name, credentials and settings. */
export const newFields = (kind: Kind): readonly FormField<KindForm>[] => [
  { ...name, hint: 'The name shown here.' },
  ...kindsInWords[kind].credentials,
  ...kindsInWords[kind].settings,
]

export const settingFields = (kind: Kind): readonly FormField<KindForm>[] => [name, ...kindsInWords[kind].settings]

const secret = { type: 'password', autoComplete: 'off', required: true } as const

const companies = {
  name: 'createCompanies',
  label: 'Also write companies',
  hint: 'Matched by domain and linked to the person.',
} as const
const notes = { name: 'notes', label: 'A note for each engagement', hint: 'What they commented, and where.' } as const

type KindOf = {
  readonly label: string
  readonly text: string
  readonly settings: readonly FormField<KindForm>[]
  readonly credentials: readonly FormField<KindForm>[]
  /** The platform has fields that a mapping can name. */
  readonly hasFields: boolean
}

export const kindsInWords: Readonly<Record<Kind, KindOf>> = {
  hubspot: {
    label: 'HubSpot',
    text: 'One contact per person, with their company and notes, kept up to date.',
    settings: [companies, notes],
    credentials: [
      {
        name: 'accessToken',
        label: 'Service key',
        hint: 'HubSpot: Settings, Integrations, Service keys. Give it crm.objects.contacts, crm.objects.companies (read and write) and crm.schemas.contacts.write. The token of a private app works too.',
        ...secret,
      },
    ],
    hasFields: true,
  },
  slack: {
    label: 'Slack',
    text: 'One message per lead in one channel: who, where, why, and a link.',
    settings: [],
    credentials: [
      {
        name: 'webhookUrl',
        label: 'Webhook address',
        hint: 'Slack: api.slack.com/apps, your app, Incoming Webhooks, Add New Webhook, then choose the channel and copy the address.',
        placeholder: 'https://hooks.slack.com/services/…',
        ...secret,
      },
    ],
    hasFields: false,
  },
  google_sheets: {
    label: 'Google Sheets',
    text: 'One row per person in a sheet of yours.',
    settings: [
      {
        name: 'spreadsheetId',
        label: 'Id of the spreadsheet',
        hint: 'In its address, between /d/ and /edit. Share the spreadsheet with the mail address of the service account, as an editor.',
        required: true,
      },
      { name: 'sheet', label: 'Name of the sheet', optional: true, hint: 'Empty: the first sheet.' },
    ],
    credentials: [
      {
        name: 'serviceAccount',
        label: 'Key of the service account',
        hint: 'Google Cloud console: IAM, Service accounts, Keys, Add key, JSON. Paste the whole file.',
        rows: 5,
        required: true,
        autoComplete: 'off',
      },
    ],
    hasFields: false,
  },
  attio: {
    label: 'Attio',
    text: 'One record per person in Attio, with their company and notes, kept up to date.',
    settings: [companies, notes],
    credentials: [
      {
        name: 'accessToken',
        label: 'API key',
        hint: 'Attio: Workspace settings, Developers, Access tokens. Give it records, object configuration and notes (read and write).',
        ...secret,
      },
    ],
    hasFields: true,
  },
  salesforce: {
    label: 'Salesforce',
    text: 'One lead or contact per person, kept up to date.',
    settings: [
      {
        name: 'instanceUrl',
        label: 'Address of the instance',
        hint: 'Salesforce: Setup, My Domain.',
        type: 'url',
        placeholder: 'https://example.my.salesforce.com',
        required: true,
      },
      {
        name: 'object',
        label: 'Write people as',
        choices: [
          { value: 'Lead', label: 'Leads' },
          { value: 'Contact', label: 'Contacts' },
        ],
      },
    ],
    credentials: [
      {
        name: 'clientId',
        label: 'Consumer key',
        hint: 'Salesforce: Setup, External Client App Manager, your app with the client credentials flow and scope api, OAuth settings.',
        ...secret,
      },
      { name: 'clientSecret', label: 'Consumer secret', hint: 'On the same page.', ...secret },
    ],
    hasFields: true,
  },
  s3: {
    label: 'S3 bucket',
    text: 'Files of JSON lines, one folder per day, in any compatible store.',
    settings: [
      { name: 'bucket', label: 'Bucket', required: true },
      { name: 'region', label: 'Region', placeholder: 'eu-central-1', required: true },
      { name: 'prefix', label: 'Folder', optional: true, hint: 'Files are stored under it.' },
      {
        name: 'endpoint',
        label: 'Endpoint',
        optional: true,
        type: 'url',
        hint: 'Only for a store other than Amazon’s: its console shows it as the S3 endpoint.',
      },
      { name: 'pathStyle', label: 'Bucket in the path', hint: 'Some compatible stores need it.' },
    ],
    credentials: [
      {
        name: 'accessKeyId',
        label: 'Access key id',
        hint: 'AWS: IAM, Users, Security credentials, Create access key. The user needs s3:PutObject below the folder.',
        required: true,
        autoComplete: 'off',
      },
      { name: 'secretAccessKey', label: 'Secret access key', hint: 'Shown once, with the key id.', ...secret },
    ],
    hasFields: false,
  },
  webhook: {
    label: 'Webhook',
    text: 'Signed events of all sources, sent to one address of yours.',
    settings: [
      {
        name: 'url',
        label: 'Address',
        hint: 'A public https address of your system. It is signed with the secret under Settings.',
        type: 'url',
        placeholder: 'https://hooks.example.com/leads',
        required: true,
      },
    ],
    credentials: [],
    hasFields: false,
  },
}

export const kinds = Object.keys(kindsInWords) as readonly Kind[]

const part = (form: KindForm, fields: readonly FormField<KindForm>[]) =>
  Object.fromEntries(
    fields
      .map(({ name }): [Name, string | boolean] => {
        const value = form[name]
        return [name, typeof value === 'string' ? value.trim() : value]
      })
      .filter(([, value]) => value !== ''),
  )

/** The settings of a form; stored ones that the form does not show are kept. */
export const settingsOf = (kind: Kind, form: KindForm, stored: Readonly<Record<string, unknown>> = {}) => {
  const shown = new Set<string>(kindsInWords[kind].settings.map(({ name }) => name))
  const kept = Object.entries(stored).filter(([name]) => !shown.has(name))
  return { ...Object.fromEntries(kept), ...part(form, kindsInWords[kind].settings) }
}

export function credentialsOf(kind: Kind, form: KindForm): Readonly<Record<string, unknown>> | undefined {
  const typed = part(form, kindsInWords[kind].credentials)
  return Object.keys(typed).length === 0 ? undefined : typed
}

/** A form with the stored settings; credentials are never shown. */
export const formOf = ({ name, settings }: Destination): KindForm => ({
  ...blank,
  ...Object.fromEntries(Object.entries(settings).filter(([field]) => Object.hasOwn(blank, field))),
  name,
})
