import type { Brief } from './brief.ts'
import type { AnyField, Fields } from './entity.ts'

/**
 * Briefs in columns, for a script that every page loads: a third less after compression than as objects. A field is
 * `name` (a text), `name=kind` or `idCustomer>1z`, a reference to the entity of that number in base 36 (`:as` if its
 * name is not that of the field without `id`); a relation is `name<1z.idCustomer`. Fields and relations with more
 * than that, and the other properties, are in `rest` as they are.
 */
export interface PackedBriefs {
  areas: (readonly [area: string, count: number])[]
  path: string[]
  label: string[]
  title: (string | 0)[]
  view: unknown[]
  fields: string[]
  many: string[]
  rest: ((Partial<Omit<Brief, 'fields' | 'many'>> & { fields?: Fields; many?: object }) | 0)[]
}

const BASE = 36
/** The usual name of a relation: `idCustomer` is `customer`. */
const relationOf = (field: string) => field.slice(2, 3).toLowerCase() + field.slice(3)

/** @param briefs in the order of their areas */
export function packBriefs(briefs: readonly Brief[]): PackedBriefs {
  const numbers = new Map(briefs.map(({ path }, at) => [path, at.toString(BASE)]))
  const areas: [string, number][] = []
  const packed: PackedBriefs = { areas, path: [], label: [], title: [], view: [], fields: [], many: [], rest: [] }
  for (const brief of briefs) {
    // As in JSON: without what is undefined.
    const { area, path, label, title, access, fields, many, ...rest } = JSON.parse(JSON.stringify(brief)) as Brief
    const last = areas.at(-1)
    if (last?.[0] === area) last[1] += 1
    else areas.push([area, 1])
    const odd: Record<string, unknown> = { ...rest }
    const { view, ...more } = access
    if (Object.keys(more).length > 0) odd.access = more
    packed.path.push(path)
    packed.label.push(label[0])
    packed.title.push(title ?? 0)
    packed.view.push(view ?? 0)
    packed.fields.push(
      join(fields, odd, 'fields', (name, { kind, options, to, as, ...others }: Loose) => {
        if (Object.keys(options ?? {}).length + Object.keys(others).length > 0) return undefined
        if (kind !== 'ref') return kind === 'text' ? name : `${name}=${kind}`
        const number = numbers.get(to as string)
        return number && `${name}>${number}${as === relationOf(name) ? '' : `:${as}`}`
      }),
    )
    packed.many.push(
      join(many ?? {}, odd, 'many', (name, { to, by, ...others }: Loose) => {
        const number = numbers.get(to as string)
        return number && Object.keys(others).length === 0 ? `${name}<${number}.${by}` : undefined
      }),
    )
    packed.rest.push(Object.keys(odd).length > 0 ? (odd as PackedBriefs['rest'][number]) : 0)
  }
  return packed
}

type Loose = Record<string, unknown> & { options?: object }

/** Short forms of these; those that have none go into `odd`. */
function join(
  all: object,
  odd: Record<string, unknown>,
  key: string,
  short: (name: string, one: Loose) => string | undefined,
): string {
  const words = Object.entries(all).map(([name, one]) => {
    const word = short(name, one as Loose)
    if (word === undefined) odd[key] = { ...(odd[key] as object), [name]: one }
    return word ?? `${name}!`
  })
  return words.join(' ')
}

/** The briefs again, without properties that are undefined. */
export function unpackBriefs({ areas, path, label, title, view, fields, many, rest }: PackedBriefs): Brief[] {
  const named = areas.flatMap(([area, count]) => Array<string>(count).fill(area))
  const pathAt = (number: string) => path[Number.parseInt(number, BASE)] as string
  return path.map((own, at) => {
    const { access, fields: oddFields, many: oddMany, ...others } = rest[at] || {}
    return {
      area: named[at],
      path: own,
      label: [label[at]],
      ...(title[at] !== 0 && { title: title[at] }),
      ...others,
      access: { ...(view[at] !== 0 && { view: view[at] }), ...access },
      fields: split(fields[at], oddFields, (word) => {
        const [, name = '', mark, value = '', as = relationOf(name)] =
          /^(\w+)(?:([=>])([\w-]+)(?::(\w+))?)?$/.exec(word) ?? []
        if (mark === '>') return [name, { kind: 'ref', options: {}, to: pathAt(value), as }]
        return [name, { kind: mark ? value : 'text', options: {} }]
      }),
      many: split(many[at], oddMany, (word) => {
        const [name = '', to = '', by] = word.split(/[<.]/)
        return [name, { to: pathAt(to), by }]
      }),
    } as unknown as Brief
  })
}

function split(
  words: string | undefined,
  odd: object | undefined,
  long: (word: string) => [string, Partial<AnyField> | object],
): object {
  if (!words) return {}
  const all = odd as Record<string, object> | undefined
  return Object.fromEntries(
    words.split(' ').map((word) => (word.endsWith('!') ? [word.slice(0, -1), all?.[word.slice(0, -1)]] : long(word))),
  )
}
