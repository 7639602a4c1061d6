/** Lists of regulations (spec §7): all, own, and choices for their forms. */

import { MAX_LISTED, regulationListCalls } from '@ordinator/model/areas/regulations/listCalls'
import {
  type Classification,
  classifications,
  Regulation,
  RegulationRead,
} from '@ordinator/model/areas/regulations/regulation'
import { Violation } from '@ordinator/model/areas/regulations/run'
import { regulationStatuses } from '@ordinator/model/areas/regulations/status'
import { OldScript } from '@ordinator/model/areas/scripts/script'
import { Role } from '@ordinator/model/areas/staff/role'
import type { ListMeta } from '@ordinator/model/client'
import sql, { raw } from 'sql-template-tag'
import { operation } from '#records/operation.ts'
import { isAudience } from './scope.ts'
import { type LineRow, lineOf, lineQuery } from './view.ts'

const index = operation(
  regulationListCalls.index,
  async ({ records, query: { page, limit, sort, search, status, classification } }) => {
    const text = await records.list(Regulation, {
      ...lineQuery,
      page,
      limit,
      sort,
      count: 'exact',
      ...(search && { 'filter[or][0][name][ilike]': search, 'filter[or][1][description][ilike]': search }),
      ...(status?.length ? { 'filter[status][in]': status } : { 'filter[isSuperseded]': 0 }),
      ...(classification?.length && { 'filter[type][in]': classification }),
    })
    const { items, _meta } = JSON.parse(text) as { items: LineRow[]; _meta: Required<ListMeta> }
    return { items: items.map(lineOf), _meta }
  },
)

const ofUser = operation(regulationListCalls.ofUser, async ({ app, records, actor }) => {
  const me = sql`${actor.id}::bigint`
  const found = await app.db.query<{ id: number; decision: 'none' | 'approved' | 'rejected' | null }>(sql`
      select r."id", (
        select case when bool_or(v."decision" = 'rejected') then 'rejected'
          when bool_or(v."decision" = 'none') then 'none' when count(*) > 0 then 'approved' end
        from regulations_reviewers v where v."idRegulation" = r."id" and v."idUser" = ${me}
      ) as decision
      from regulations r where not r."deleted" and (
        r."idResponsibleUser" = ${me} and r."status" <> 'archived'
        or r."status" = 'review' and exists (
          select 1 from regulations_reviewers v where v."idRegulation" = r."id" and v."idUser" = ${me})
        or r."status" = 'active' and (${isAudience(raw('r'), me)} or exists (
          select 1 from regulations_reads d where d."idRegulation" = r."id" and d."idUser" = ${me} and not d."deleted")))
      order by r."name", r."id" limit ${MAX_LISTED}`)
  if (found.length === 0) return []
  const ids = found.map((one) => one.id).join()
  const text = await records.list(Regulation, { ...lineQuery, 'filter[id][in]': ids, sort: 'name', limit: MAX_LISTED })
  const reads = await records.rows(RegulationRead, {
    'filter[idRegulation][in]': ids,
    'filter[idUser]': actor.id,
    limit: MAX_LISTED,
  })
  const decisions = new Map(found.map((one) => [one.id, one.decision]))
  return (JSON.parse(text).items as LineRow[]).map((row) => {
    const read = reads.find(({ idRegulation }) => idRegulation === row.id)
    return {
      ...lineOf(row),
      read: read ? { dateDue: read.dateDue, dateRead: read.dateRead, score: read.score } : null,
      decision: decisions.get(row.id) ?? null,
    }
  })
})

const roles = operation(regulationListCalls.roles, async ({ records }) => {
  const rows = await records.asSystem.rows(Role, { limit: MAX_LISTED })
  return Object.fromEntries(rows.map(({ name, description }) => [name, description ?? '']))
})

const classification = operation(
  regulationListCalls.classification,
  () => Object.keys(classifications) as Classification[],
)

const statuses = operation(regulationListCalls.statuses, () => regulationStatuses)

const scripts = operation(regulationListCalls.scripts, async ({ records, query }) => {
  const text = await records.list(OldScript, { ...query, fields: 'name', count: 'exact' })
  const { items, _meta } = JSON.parse(text) as { items: { id: number; name: string }[]; _meta: Required<ListMeta> }
  return { items: items.map(({ id, name }) => ({ id, name })), _meta }
})

const ofQuery = (query: { id?: number | undefined; user_id?: number | undefined }) => ({
  ...(query.id && { 'filter[idRegulation]': query.id }),
  ...(query.user_id && { 'filter[idUser]': query.user_id }),
})

const violationsOf = operation(regulationListCalls.violationsOf, async ({ records, query }) => {
  const rows = await records.rows(Violation, { ...ofQuery(query), limit: MAX_LISTED })
  return rows.map(({ id, idStep, idUser, level, description, dateCreate, state, source }) => ({
    id,
    idStep,
    idUser,
    level,
    description,
    dateCreate,
    state,
    source,
  }))
})

const violationsCount = operation(regulationListCalls.violationsCount, async ({ records, query }) => {
  const text = await records.list(Violation, { ...ofQuery(query), fields: 'id', limit: 0, count: 'exact' })
  return { count: JSON.parse(text)._meta.totalCount }
})

export const listOperations = [index, ofUser, roles, classification, statuses, scripts, violationsOf, violationsCount]
