/** Finds changes between two OpenAPI descriptions that break callers; new operations, optional arguments and fields never do. */

// biome-ignore lint/suspicious/noExplicitAny: a description is JSON of many shapes, read by name.
type Json = { readonly [key: string]: any }

/** A schema in its description; `seen` are the references that led to it. */
type Place = { readonly schema: Json; readonly root: Json; readonly seen: readonly string[] }

/** `sent`: callers write it; `read`: the service does. */
type Compared = {
  readonly where: string
  readonly was: Place
  readonly is: Place
  readonly direction: 'sent' | 'read'
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
const emptyPlace: Place = { schema: {}, root: {}, seen: [] }
const placeOf = (schema: Json | undefined, root: Json): Place => ({ schema: schema ?? {}, root, seen: [] })
const inside = (place: Place, schema: Json): Place => ({ ...place, schema })

/** Follows a reference; null for a recursive one. */
function follow(place: Place): Place | null {
  const reference: unknown = place.schema.$ref
  if (typeof reference !== 'string') return place
  if (place.seen.includes(reference)) return null
  const target = reference
    .split('/')
    .slice(1)
    .reduce<Json | undefined>((at, part) => at?.[part] as Json | undefined, place.root)
  return follow({ ...place, schema: target ?? {}, seen: [...place.seen, reference] })
}

const typesOf = (schema: Json): readonly string[] | null => (schema.type === undefined ? null : [schema.type].flat())

const alternatives = (schema: Json): readonly Json[] => (schema.anyOf ?? schema.oneOf ?? [schema]) as Json[]

/** Types allowed by all alternatives; null: any. */
function allowed(place: Place): ReadonlySet<string> | null {
  const all = alternatives(place.schema).map((option) => {
    const { schema } = follow(inside(place, option)) ?? emptyPlace
    return schema.const !== undefined && schema.type === undefined ? [typeof schema.const] : typesOf(schema)
  })
  return all.includes(null) ? null : new Set(all.flatMap((types) => types!))
}

const missingFrom = (wanted: ReadonlySet<string>, given: ReadonlySet<string>) =>
  [...wanted].filter((type) => !given.has(type) && !(type === 'integer' && given.has('number')))

function whole(place: Place): Place | null {
  const followed = follow(place)
  if (!followed?.schema.allOf) return followed
  const { allOf, ...own } = followed.schema as { allOf: Json[] } & Json
  const parts = [...allOf.map((part) => whole(inside(followed, part))?.schema ?? {}), own as Json]
  return inside(followed, {
    ...own,
    properties: Object.assign({}, ...parts.map(({ properties }) => properties ?? {})) as Json,
    required: parts.flatMap(({ required }) => (required ?? []) as string[]),
  })
}

function objectOf(place: Place): Place | null {
  for (const option of alternatives(place.schema)) {
    const followed = whole(inside(place, option))
    if (followed?.schema.properties) return followed
  }
  return null
}

function orNull(schema: Json): Json {
  const options = (schema.anyOf ?? schema.oneOf) as Json[] | undefined
  const some = options?.filter(({ type }) => type !== 'null')
  return some?.length === 1 ? { ...schema, ...some[0] } : schema
}

function compareFields({ where, direction, ...places }: Compared): string[] {
  const found: string[] = []
  const [was, is] = [objectOf(places.was), objectOf(places.is)]
  if (!was || !is) return found
  const now = is.schema.properties as Json
  for (const [name, schema] of Object.entries(was.schema.properties as Json)) {
    if (now[name] === undefined) found.push(`${where}: field ${name} was removed`)
    else {
      const both = { was: inside(was, schema as Json), is: inside(is, now[name] as Json) }
      found.push(...compareSchemas({ where: `${where}.${name}`, direction, ...both }))
    }
  }
  const [required, requiredNow] = [was, is].map(({ schema }) => (schema.required ?? []) as string[]) as [
    string[],
    string[],
  ]
  if (direction === 'sent')
    for (const name of requiredNow.filter((field) => !required.includes(field)))
      found.push(`${where}: field ${name} is now required`)
  else
    for (const name of required.filter((field) => now[field] !== undefined && !requiredNow.includes(field)))
      found.push(`${where}: field ${name} may now be missing`)
  return found
}

/** The sign tells which direction is stricter. */
const bounds = { minimum: 1, maximum: -1, minLength: 1, maxLength: -1, minItems: 1, maxItems: -1 } as const

function compareValues(where: string, one: Json, other: Json): string[] {
  const found: string[] = []
  const [values, valuesNow] = [one.enum as unknown[] | undefined, other.enum as unknown[] | undefined]
  const gone = valuesNow ? (values ?? []).filter((value) => !valuesNow.includes(value)) : []
  if (gone.length > 0) found.push(`${where}: no longer takes ${gone.map(String).join(', ')}`)
  if (!values && valuesNow) found.push(`${where}: now takes only ${valuesNow.map(String).join(', ')}`)
  for (const [bound, tighter] of Object.entries(bounds)) {
    const [old, now] = [one[bound] as number | undefined, other[bound] as number | undefined]
    if (now !== undefined && (old === undefined || (now - old) * tighter > 0))
      found.push(`${where}: ${bound} is now ${now} (was ${old ?? 'none'})`)
  }
  return found
}

function compareSchemas({ where, direction, ...places }: Compared): string[] {
  const [was, is] = [follow(places.was), follow(places.is)]
  if (!was || !is) return []
  const found: string[] = []
  const [types, typesNow] = [allowed(was), allowed(is)]
  if (types && typesNow) {
    const lost = direction === 'sent' ? missingFrom(types, typesNow) : missingFrom(typesNow, types)
    const how = direction === 'sent' ? 'no longer takes' : 'may now be'
    if (lost.length > 0) found.push(`${where}: ${how} ${lost.join(', ')}`)
  }
  const [one, other] = [orNull(was.schema), orNull(is.schema)]
  if (direction === 'sent') found.push(...compareValues(where, one, other))
  if (one.items && other.items) {
    const both = { was: inside(was, one.items as Json), is: inside(is, other.items as Json) }
    found.push(...compareSchemas({ where: `${where}[]`, direction, ...both }))
  }
  return [...found, ...compareFields({ where, direction, was, is })]
}

const bodyOf = (part: Json | undefined, root: Json): Place | undefined => {
  const schema = follow(placeOf(part, root))!.schema.content?.['application/json']?.schema as Json | undefined
  return schema && placeOf(schema, root)
}

function parametersOf(operation: Json, root: Json): ReadonlyMap<string, Json> {
  const parameters = ((operation.parameters ?? []) as Json[]).map((each) => follow(placeOf(each, root))!.schema)
  return new Map(parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]))
}

type Descriptions = { readonly before: Json; readonly after: Json }

function compareParameters(at: string, before: Json, after: Json, roots: Descriptions): string[] {
  const [was, is] = [parametersOf(before, roots.before), parametersOf(after, roots.after)]
  const found = [...was].flatMap(([name, parameter]) => {
    const now = is.get(name)
    if (!now) return [`${at}: parameter ${name} was removed`]
    const both = {
      was: placeOf(parameter.schema as Json, roots.before),
      is: placeOf(now.schema as Json, roots.after),
    }
    return compareSchemas({ where: `${at} ${name}`, direction: 'sent', ...both }).concat(
      now.required && !parameter.required ? [`${at}: parameter ${name} is now required`] : [],
    )
  })
  const added = [...is].filter(([name, parameter]) => parameter.required && !was.has(name))
  return [...found, ...added.map(([name]) => `${at}: parameter ${name} is new and required`)]
}

function compareOperations(at: string, was: Json, is: Json, roots: Descriptions): string[] {
  const found = compareParameters(at, was, is, roots)
  if (was.operationId !== is.operationId)
    found.unshift(`${at}: operationId is now ${String(is.operationId)} (was ${String(was.operationId)})`)
  const [body, bodyNow] = [bodyOf(was.requestBody as Json, roots.before), bodyOf(is.requestBody as Json, roots.after)]
  if (body && bodyNow) found.push(...compareSchemas({ where: `${at} body`, was: body, is: bodyNow, direction: 'sent' }))
  for (const [status, response] of Object.entries(was.responses as Json).filter(([code]) => code.startsWith('2'))) {
    const now = (is.responses as Json)[status] as Json | undefined
    if (!now) found.push(`${at}: no longer answers ${status}`)
    const answer = now && bodyOf(response as Json, roots.before)
    if (answer) {
      const answerNow = bodyOf(now, roots.after) ?? emptyPlace
      found.push(...compareSchemas({ where: `${at} ${status}`, was: answer, is: answerNow, direction: 'read' }))
    }
  }
  return found
}

/** Every breaking change between two descriptions, in words. */
export function breakingChanges(before: Json, after: Json): string[] {
  const roots = { before, after }
  const operations = Object.entries(before.paths as Json).flatMap(([path, entry]) =>
    methods.flatMap((method) => {
      const was = (entry as Json)[method] as Json | undefined
      const is = (after.paths as Json)[path]?.[method] as Json | undefined
      const at = `${method.toUpperCase()} ${path}`
      return !was ? [] : is ? compareOperations(at, was, is, roots) : [`${at} was removed`]
    }),
  )
  const events = Object.entries((before.webhooks ?? {}) as Json).flatMap(([name, entry]) => {
    const now = (after.webhooks as Json | undefined)?.[name] as Json | undefined
    if (!now) return [`event ${name} was removed`]
    const was = bodyOf(entry.post.requestBody as Json, before)!
    const is = bodyOf(now.post.requestBody as Json, after) ?? emptyPlace
    return compareSchemas({ where: `event ${name}`, was, is, direction: 'read' })
  })
  return [...operations, ...events]
}
