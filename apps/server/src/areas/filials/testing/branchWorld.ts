/** Records of two branches of the demo clinic, each word of which can be recognised: for tests of the branches' limits. */
import type { AnyField } from '@ordinator/model/entity'
import { isRef } from '@ordinator/model/fields/ref'
import { branchFate } from '#records/branches.ts'
import type { Definition } from '#records/define.ts'
import { bodiesIn } from '#testing/bodies.ts'
import type { Caller, Clinic } from '#testing/harness.ts'
import { markTexts, type Named } from '#testing/questions.ts'

/** Records marked and asked about of each entity. */
const MARKED = 200
const ASKED = 10

export interface Side {
  idFilial: number
  /** Stands in the texts of its records. */
  mark: string
  /** Ids of its newest records, of every entity that has branches. */
  named: Named
}

/** Codes and clocks stay as they are: the areas compute with them. */
const isProse = (f: AnyField): boolean => {
  const { rule, max } = f.options as { rule?: unknown; max?: number }
  return rule === undefined && (max === undefined || max >= 32)
}

/** @param clinic of the demo @param admin holds every right */
export async function makeBranchWorld(clinic: Clinic, admin: Caller): Promise<{ ours: Side; theirs: Side }> {
  const { db } = clinic
  const { registry } = clinic.context
  const { made } = bodiesIn(clinic, admin)
  const branches = await db.query<{ id: number }>({
    text: `select f."id"::int as id from filials f join appointments a on a."idFilial" = f."id" group by 1 order by count(*) desc limit 2`,
  })
  const [a, b] = branches.map(({ id }) => id) as [number, number]
  /** By path and branch: all ids, the newest first. */
  const found = new Map<string, Map<number, number[]>>()

  async function idsAt(d: Definition, branch: number): Promise<number[]> {
    const { entity } = d
    const { by, holders = [] } = branchFate(registry, d)
    const living = entity.soft ? 'and not "deleted"' : ''
    const wheres = by.flatMap((one) => {
      const f = entity.fields[one]
      if (!f || !isRef(f)) return []
      const target = registry.at(f.to).entity
      const ids = target.branchBy === 'self' ? [branch] : (found.get(target.path)?.get(branch) ?? [])
      return ids.length ? [`"${one}" in (${ids.join()})`] : []
    })
    for (const { d: holder, by: field } of holders) {
      const ids = found.get(holder.entity.path)?.get(branch) ?? []
      if (ids.length)
        wheres.push(`"id" in (select "${field}" from "${holder.entity.table}" where "id" in (${ids.join()}))`)
    }
    if (wheres.length === 0) return []
    const rows = await db.query<{ id: number }>({
      text: `select "id"::int as id from "${entity.table}" where (${wheres.join(' or ')}) ${living} order by "id" desc limit 5000`,
    })
    return rows.map(({ id }) => id)
  }

  /** Fills one entity, whose references are filled. */
  async function fill(d: Definition): Promise<void> {
    const { entity } = d
    const { by } = branchFate(registry, d)
    const at = new Map<number, number[]>()
    for (const branch of [a, b]) {
      let ids = await idsAt(d, branch)
      const [first] = by
      if (ids.length === 0 && first !== undefined) {
        const f = entity.fields[first]
        const target = f && isRef(f) ? registry.at(f.to).entity : undefined
        const of = target?.branchBy === 'self' ? branch : found.get(target?.path ?? '')?.get(branch)?.[0]
        const { within } = entity
        const above = within !== undefined && within !== first ? entity.fields[within] : undefined
        const idAbove = above && isRef(above) ? found.get(above.to)?.get(branch)?.[0] : undefined
        const place = { [first]: of, ...(within !== undefined && idAbove !== undefined && { [within]: idAbove }) }
        if (of !== undefined) await made(entity.path, place).catch(() => undefined)
        ids = await idsAt(d, branch)
      }
      at.set(branch, ids)
    }
    // A transfer between the two is of both.
    const both = new Set(at.get(a)?.filter((id) => at.get(b)?.includes(id)))
    for (const branch of [a, b])
      at.set(
        branch,
        (at.get(branch) ?? []).filter((id) => !both.has(id)),
      )
    found.set(entity.path, at)
  }

  const decided = registry.definitions.filter((d) => {
    const { by, holders } = branchFate(registry, d)
    return by.length > 0 || holders
  })
  const isReady = (d: Definition) => {
    const { by, holders = [] } = branchFate(registry, d)
    const targets = by.flatMap((one) => {
      const f = d.entity.fields[one]
      return f && isRef(f) && registry.at(f.to).entity.branchBy !== 'self' ? [f.to] : []
    })
    const { within } = d.entity
    const above = within === undefined ? undefined : d.entity.fields[within]
    if (above && isRef(above) && decided.some(({ entity }) => entity.path === above.to)) targets.push(above.to)
    return [...targets, ...holders.map((one) => one.d.entity.path)].every((path) => found.has(path))
  }
  for (let left = decided; left.length > 0; ) {
    const ready = left.filter(isReady)
    if (ready.length === 0) throw new Error(`unreached: ${left.map(({ entity }) => entity.path).join()}`)
    for (const d of ready) await fill(d)
    left = left.filter((d) => !ready.includes(d))
  }

  const hidden = decided.filter((d) => branchFate(registry, d).kind !== 'common')
  const sideOf = async (idFilial: number, mark: string): Promise<Side> => {
    for (const { entity } of hidden) {
      const ids = found.get(entity.path)?.get(idFilial)?.slice(0, MARKED) ?? []
      if (ids.length) await markTexts(clinic, entity, `"id" in (${ids.join()})`, `'${mark} ' || "id"`, isProse)
    }
    return {
      idFilial,
      mark,
      named: new Map(
        hidden.map(({ entity }) => [entity.path, found.get(entity.path)?.get(idFilial)?.slice(0, ASKED) ?? []]),
      ),
    }
  }
  return { ours: await sideOf(a, 'Своё77'), theirs: await sideOf(b, 'Чужое77') }
}
