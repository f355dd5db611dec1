import type { ReactNode } from 'react'
import { bounds } from 'virtual:values'
import { Checkbox, Field, Input, ListField, TextArea } from '../../ui/index.ts'
import { sizes, type Profile } from './agent.ts'

/** What the parts of a profile's form take. */
export type PartProps = { readonly profile: Profile; readonly onChange: (change: Partial<Profile>) => void }

/** The company that sells. */
export function Company({ profile, onChange }: PartProps): ReactNode {
  return (
    <div className="flex flex-col gap-4">
      <Field label="Website" hint="The site of what you sell. Only its domain is kept.">
        <Input
          type="text"
          inputMode="url"
          autoComplete="url"
          placeholder="www.example.com"
          value={profile.website}
          onChange={(event) => onChange({ website: event.target.value })}
        />
      </Field>
      <Field label="What you sell" optional hint={`In a sentence or two, at most ${bounds.agentSummary} characters.`}>
        <TextArea
          rows={3}
          maxLength={bounds.agentSummary}
          value={profile.summary}
          onChange={(event) => onChange({ summary: event.target.value })}
        />
      </Field>
    </div>
  )
}

/** The people it sells to. */
export function Buyers({ profile, onChange }: PartProps): ReactNode {
  const toggle = (size: string, on: boolean) =>
    onChange({
      companySizes: on ? [...profile.companySizes, size] : profile.companySizes.filter((each) => each !== size),
    })
  return (
    <div className="flex flex-col gap-4">
      <ListField
        label="Job titles"
        optional
        value={profile.titles}
        onChange={(titles) => onChange({ titles })}
        max={bounds.agentTitles}
        placeholder="Such as Head of Growth"
        hint="A person with another title never fits, so name the ones you sell to."
      />
      <div className="grid gap-4 lg:grid-cols-2">
        <ListField
          label="Industries"
          optional
          value={profile.industries}
          onChange={(industries) => onChange({ industries })}
          max={bounds.agentIndustries}
          placeholder="Such as Software Development"
        />
        <ListField
          label="Countries"
          optional
          value={profile.countries}
          onChange={(countries) => onChange({ countries })}
          max={bounds.agentCountries}
          placeholder="Such as Germany"
        />
      </div>
      <fieldset>
        <legend className="mb-1 text-sm font-medium">
          Company size, in employees <span className="font-normal text-muted">(optional)</span>
        </legend>
        <div className="grid grid-cols-2 gap-2 sm:grid-cols-4">
          {sizes.map((size) => (
            <Checkbox
              key={size}
              label={size}
              checked={profile.companySizes.includes(size)}
              onChecked={(on) => toggle(size, on)}
            />
          ))}
        </div>
      </fieldset>
    </div>
  )
}

/** What these people talk about. */
export function Topics({ profile, onChange }: PartProps): ReactNode {
  return (
    <div className="flex flex-col gap-4">
      <ListField
        label="Topics"
        value={profile.topics}
        onChange={(topics) => onChange({ topics })}
        max={bounds.agentTopics}
        placeholder="Such as outbound sales"
        hint="Each becomes a search that runs every day. Two or three good ones are better than many."
      />
      <ListField
        label="Competitors"
        optional
        value={profile.competitors}
        onChange={(competitors) => onChange({ competitors })}
        max={bounds.agentCompetitors}
        placeholder="Such as Acme, acme.com"
        hint="A name, or a name and a domain after a comma."
      />
    </div>
  )
}
