/** For tests: formats generated files so that a diff shows only changed lines. */
import { type Entity, entity } from '@ordinator/model/entity'
import { position } from '@ordinator/model/fields/position'
import type { Described } from '#records/openapi.ts'
import { describeEntity, schemaName } from '#records/openapiEntity.ts'

type Json = Record<string, any>

const LINE = 120

/** JSON in which everything that fits is on one line. */
export function compactJson(value: unknown, indent = ''): string {
  const line = inLine(value)
  if (line.length + indent.length <= LINE || typeof value !== 'object' || value === null) return line
  const deeper = `${indent} `
  const members = Array.isArray(value)
    ? value.map((item) => compactJson(item, deeper))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${compactJson(item, deeper)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${packed(members, LINE - deeper.length)
    .map((lines) => `${deeper}${lines}`)
    .join(',\n')}\n${indent}${close}`
}

/** Packs as many consecutive references on a line as fit. */
function packed(members: readonly string[], width: number): string[] {
  const lines: string[] = []
  for (const member of members) {
    const last = lines.at(-1)
    if (last && isReference(member) && isReference(last) && last.length + member.length + 2 <= width) {
      lines[lines.length - 1] = `${last}, ${member}`
    } else lines.push(member)
  }
  return lines
}

const isReference = (text: string) => /^("[^"]+": )?\{ "\$ref": [^{}\n]*\}/.test(text) && !text.includes('\n')

function inLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(inLine).join(', ')}]`
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${inLine(item)}`)
  return members.length ? `{ ${members.join(', ')} }` : '{}'
}

/**
 * Splits the served document by area, with `shared` for the rest. Generic calls are the same for every entity: each is
 * listed only by its name, and `engine` of `shared` shows them once.
 */
export function splitDocument(
  document: Json,
  areas: readonly Pick<Described, 'name' | 'records'>[],
): Map<string, Json> {
  const files = new Map<string, Json>()
  const taken = new Set<string>()
  const ofEngine = new Map(
    areas.flatMap(({ name, records }) =>
      records.flatMap(({ entity: of }) => engineCalls(name, of).map((call) => [call.operationId, inLine(call)])),
    ),
  )
  const brief = (call: Json): Json =>
    ofEngine.get(call.operationId) === inLine(call) ? { operationId: call.operationId } : call
  for (const tag of document.tags as Json[]) {
    const records = areas.find((area) => area.name === tag.name)?.records ?? []
    const names = records.flatMap(({ entity }) => ['', 'Create', 'Update'].map((end) => `${schemaName(entity)}${end}`))
    for (const name of names) taken.add(name)
    const paths = Object.entries(document.paths as Json).flatMap(([path, calls]) => {
      const own = Object.entries(calls as Json).filter(([, call]) => call.tags[0] === tag.name)
      return own.length ? [[path, Object.fromEntries(own.map(([method, call]) => [method, brief(call)]))]] : []
    })
    const schemas = Object.fromEntries(names.map((name) => [name, document.components.schemas[name]]))
    if (paths.length) files.set(tag.name, { tags: [tag], paths: Object.fromEntries(paths), components: { schemas } })
  }
  const { paths, tags, components, ...rest } = document
  const schemas = Object.entries(components.schemas).filter(([name]) => !taken.has(name))
  const engine = Object.fromEntries(engineCalls(sample.path, sample).map((call) => [call.operationId, call]))
  return files.set('shared', { ...rest, components: { ...components, schemas: Object.fromEntries(schemas) }, engine })
}

/** An entity with all features of the engine: a trash, an order. */
const sample = entity('samples', {
  label: ['Образец', 'образца', 'образцов'],
  fields: { order: position({ group: [], start: 'last' }) },
  access: {},
  soft: true,
})

function engineCalls(tag: string, of: Entity): Json[] {
  const paths: Record<string, Json> = {}
  describeEntity(paths, {}, tag, of)
  return Object.values(paths).flatMap((calls) => Object.values(calls))
}

/** Formats a statement with one column per line. */
export const columnsInLines = (text: string): string =>
  text.replace(/\n\s*/g, '\n').replace(/( as "\w+"), /g, '$1,\n  ')
