/**
 * What in one OpenAPI description would break callers of another: what they send must still be taken, and what they read must
 * still be there. Pure; adding operations, optional arguments and answer fields is never breaking.
 */

// biome-ignore lint/suspicious/noExplicitAny: a description is JSON of many shapes, read by name.
type Json = { readonly [key: string]: any }

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

/** A schema with its reference followed; a schema inside itself ends there. */
function follow(
  schema: Json | undefined,
  root: Json,
  seen: readonly string[],
): { schema: Json; seen: readonly string[] } | null {
  if (!schema) return { schema: {}, seen }
  const reference: unknown = schema.$ref
  if (typeof reference !== 'string') return { schema, seen }
  if (seen.includes(reference)) return null
  const target = reference
    .split('/')
    .slice(1)
    .reduce<Json | undefined>((at, part) => at?.[part] as Json | undefined, root)
  return follow(target, root, [...seen, reference])
}

const typesOf = (schema: Json): readonly string[] | null => (schema.type === undefined ? null : [schema.type].flat())

/** The alternatives of a schema: itself when it has none. */
const alternatives = (schema: Json): readonly Json[] => (schema.anyOf ?? schema.oneOf ?? [schema]) as Json[]

/** The types a schema allows over all its alternatives; null when it does not say. */
function allowed(schema: Json, root: Json, seen: readonly string[]): ReadonlySet<string> | null {
  const all = alternatives(schema).map((option) => {
    const followed = follow(option, root, seen)
    return followed === null
      ? null
      : followed.schema.const !== undefined && followed.schema.type === undefined
        ? [typeof followed.schema.const]
        : typesOf(followed.schema)
  })
  return all.includes(null) ? null : new Set(all.flatMap((types) => types!))
}

const missingFrom = (wanted: ReadonlySet<string>, given: ReadonlySet<string>) =>
  [...wanted].filter((type) => !given.has(type) && !(type === 'integer' && given.has('number')))

/** An object with the fields of all it is composed of. */
function whole(schema: Json, root: Json, seen: readonly string[]): { schema: Json; seen: readonly string[] } | null {
  const followed = follow(schema, root, seen)
  if (!followed?.schema.allOf) return followed
  const { allOf, ...own } = followed.schema as { allOf: Json[] } & Json
  const parts = [...allOf.map((part) => whole(part, root, followed.seen)?.schema ?? {}), own as Json]
  return {
    schema: {
      ...own,
      properties: Object.assign({}, ...parts.map(({ properties }) => properties ?? {})) as Json,
      required: parts.flatMap(({ required }) => (required ?? []) as string[]),
    },
    seen: followed.seen,
  }
}

/** The object among the alternatives, whose fields are compared. */
function objectOf(schema: Json, root: Json, seen: readonly string[]): { schema: Json; seen: readonly string[] } | null {
  for (const option of alternatives(schema)) {
    const followed = whole(option, root, seen)
    if (followed?.schema.properties) return followed
  }
  return null
}

/** `anyOf: [X, null]` as X, whose bounds and values hold for what is not null. */
function orNull(schema: Json): Json {
  const options = (schema.anyOf ?? schema.oneOf) as Json[] | undefined
  const some = options?.filter(({ type }) => type !== 'null')
  return some?.length === 1 ? { ...schema, ...some[0] } : schema
}

function compareFields(
  where: string,
  before: Json,
  after: Json,
  roots: { before: Json; after: Json },
  seen: { before: readonly string[]; after: readonly string[] },
  direction: 'sent' | 'read',
): string[] {
  const found: string[] = []
  const [was, is] = [objectOf(before, roots.before, seen.before), objectOf(after, roots.after, seen.after)]
  if (!was || !is) return found
  const [properties, now] = [was.schema.properties as Json, is.schema.properties as Json]
  for (const [name, schema] of Object.entries(properties)) {
    if (now[name] === undefined) found.push(`${where}: field ${name} was removed`)
    else
      found.push(
        ...compareSchemas(
          `${where}.${name}`,
          schema as Json,
          now[name] as Json,
          roots,
          { before: was.seen, after: is.seen },
          direction,
        ),
      )
  }
  const [required, requiredNow] = [(was.schema.required ?? []) as string[], (is.schema.required ?? []) as string[]]
  if (direction === 'sent')
    for (const name of requiredNow.filter((field) => !required.includes(field)))
      found.push(`${where}: field ${name} is now required`)
  else
    for (const name of required.filter((field) => now[field] !== undefined && !requiredNow.includes(field)))
      found.push(`${where}: field ${name} may now be missing`)
  return found
}

function compareSchemas(
  where: string,
  before: Json,
  after: Json,
  roots: { before: Json; after: Json },
  seen: { before: readonly string[]; after: readonly string[] },
  direction: 'sent' | 'read',
): string[] {
  const [was, is] = [follow(before, roots.before, seen.before), follow(after, roots.after, seen.after)]
  if (!was || !is) return []
  const found: string[] = []
  const inside = { before: was.seen, after: is.seen }
  const [types, typesNow] = [allowed(was.schema, roots.before, was.seen), allowed(is.schema, roots.after, is.seen)]
  if (types && typesNow) {
    const lost = direction === 'sent' ? missingFrom(types, typesNow) : missingFrom(typesNow, types)
    if (lost.length > 0)
      found.push(
        direction === 'sent'
          ? `${where}: no longer takes ${lost.join(', ')}`
          : `${where}: may now be ${lost.join(', ')}`,
      )
  }
  const [one, other] = [orNull(was.schema), orNull(is.schema)]
  if (direction === 'sent') {
    const [values, valuesNow] = [one.enum as unknown[] | undefined, other.enum as unknown[] | undefined]
    const gone = valuesNow ? (values ?? []).filter((value) => !valuesNow.includes(value)) : []
    if (gone.length > 0) found.push(`${where}: no longer takes ${gone.map(String).join(', ')}`)
    if (!values && valuesNow) found.push(`${where}: now takes only ${valuesNow.map(String).join(', ')}`)
    for (const [bound, tighter] of [
      ['minimum', 1],
      ['maximum', -1],
      ['minLength', 1],
      ['maxLength', -1],
      ['minItems', 1],
      ['maxItems', -1],
    ] as const) {
      const [old, now] = [one[bound] as number | undefined, other[bound] as number | undefined]
      if (now !== undefined && (old === undefined || (now - old) * tighter > 0))
        found.push(`${where}: ${bound} is now ${now} (was ${old ?? 'none'})`)
    }
  }
  if (one.items && other.items)
    found.push(...compareSchemas(`${where}[]`, one.items as Json, other.items as Json, roots, inside, direction))
  return [...found, ...compareFields(where, was.schema, is.schema, roots, inside, direction)]
}

/** The schema of a body or an answer, which may be described once for several operations. */
const bodyOf = (part: Json | undefined, root: Json): Json | undefined =>
  follow(part, root, [])?.schema.content?.['application/json']?.schema as Json | undefined

function compareParameters(where: string, before: Json, after: Json, roots: { before: Json; after: Json }): string[] {
  const list = (operation: Json, root: Json) =>
    new Map(
      ((operation.parameters ?? []) as Json[])
        .map((parameter) => follow(parameter, root, [])!.schema)
        .map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]),
    )
  const [was, is] = [list(before, roots.before), list(after, roots.after)]
  const found = [...was].flatMap(([name, parameter]) => {
    const now = is.get(name)
    if (!now) return [`${where}: parameter ${name} was removed`]
    return compareSchemas(
      `${where} ${name}`,
      parameter.schema as Json,
      now.schema as Json,
      roots,
      { before: [], after: [] },
      'sent',
    ).concat(now.required && !parameter.required ? [`${where}: parameter ${name} is now required`] : [])
  })
  return [
    ...found,
    ...[...is]
      .filter(([name, parameter]) => parameter.required && !was.has(name))
      .map(([name]) => `${where}: parameter ${name} is new and required`),
  ]
}

/** Every breaking change from one description to another, in words. */
export function breakingChanges(before: Json, after: Json): string[] {
  const roots = { before, after }
  const none = { before: [], after: [] }
  const found: string[] = []
  for (const [path, entry] of Object.entries(before.paths as Json)) {
    for (const method of methods) {
      const was = (entry as Json)[method] as Json | undefined
      if (!was) continue
      const where = `${method.toUpperCase()} ${path}`
      const is = (after.paths as Json)[path]?.[method] as Json | undefined
      if (!is) {
        found.push(`${where} was removed`)
        continue
      }
      if (was.operationId !== is.operationId)
        found.push(`${where}: operationId is now ${String(is.operationId)} (was ${String(was.operationId)})`)
      found.push(...compareParameters(where, was, is, roots))
      const [body, bodyNow] = [bodyOf(was.requestBody as Json, before), bodyOf(is.requestBody as Json, after)]
      if (body && bodyNow) found.push(...compareSchemas(`${where} body`, body, bodyNow, roots, none, 'sent'))
      for (const [status, response] of Object.entries(was.responses as Json).filter(([code]) => code.startsWith('2'))) {
        const now = (is.responses as Json)[status] as Json | undefined
        if (!now) found.push(`${where}: no longer answers ${status}`)
        else {
          const [answer, answerNow] = [bodyOf(response as Json, before), bodyOf(now, after)]
          if (answer) found.push(...compareSchemas(`${where} ${status}`, answer, answerNow ?? {}, roots, none, 'read'))
        }
      }
    }
  }
  for (const [name, entry] of Object.entries((before.webhooks ?? {}) as Json)) {
    const now = (after.webhooks as Json | undefined)?.[name] as Json | undefined
    if (!now) found.push(`event ${name} was removed`)
    else
      found.push(
        ...compareSchemas(
          `event ${name}`,
          bodyOf(entry.post.requestBody as Json, before)!,
          bodyOf(now.post.requestBody as Json, after) ?? {},
          roots,
          none,
          'read',
        ),
      )
  }
  return found
}
