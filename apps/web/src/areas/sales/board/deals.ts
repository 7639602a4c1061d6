import type { Stage } from '@ordinator/model/areas/sales/funnel'
import { Lead, type LeadTag } from '@ordinator/model/areas/sales/lead'
import { type AnyFilter, totalOf } from '@ordinator/model/client'
import type { Row } from '@ordinator/model/entity'
import { recordsWith } from '../../../base/client.ts'
import type { CardPage } from '../../../kit/board/pages.ts'
import type { PersonLike } from '../../../kit/UserAvatar.tsx'
import { FIRST_CARDS, pagesOf } from '../../../records/board/cardStore.ts'

const PAGE = 50
/** Ids in one filter, so that the address stays short. */
const IDS = 100

export type StageRow = Row<typeof Stage>
type LeadRow = Row<typeof Lead>

/** A deal as the board and the lists show it. */
export interface Deal
  extends Pick<
    LeadRow,
    | 'id'
    | '_version'
    | 'title'
    | 'order'
    | 'price'
    | 'idSource'
    | 'dateStage'
    | 'dateExpected'
    | 'nextStep'
    | 'dateNextStep'
    | 'idLossReason'
    | 'canComplete'
    | 'offersTotalCount'
    | 'tasksTotalCount'
    | 'chatsTotalCount'
    | 'commentsTotalCount'
  > {
  idStage: number
  contacts: { id: number; fio: string | null; phone: string | null }[]
  responsible: { id: number; idUser: number; user: PersonLike | null }[]
  tags: Pick<Row<typeof LeadTag>, 'id' | 'name' | 'color' | 'icon'>[]
}

export const dealExpand = ['contacts', 'responsible.user', 'tags'] as const

/** Only what the face shows: a board of thousands of deals must not carry their descriptions. */
export const dealFields = [
  ...['title', 'idStage', 'order', 'price', 'idSource', 'dateStage', 'dateExpected', 'nextStep', 'dateNextStep'],
  ...['idLossReason', 'canComplete', 'offersTotalCount', 'tasksTotalCount', 'chatsTotalCount', 'commentsTotalCount'],
  ...['contacts.fio', 'contacts.phone', 'tags.name', 'tags.color', 'tags.icon', 'responsible.idUser'],
  ...['shortFio', 'surname', 'name', 'avatar'].map((field) => `responsible.user.${field}`),
] as never[]

export async function readStage(
  filter: AnyFilter,
  idStage: number,
  after: string | undefined,
  signal: AbortSignal,
): Promise<CardPage<Deal>> {
  const { items, _meta } = await quiet.list(
    Lead,
    {
      filter: { idStage, ...filter } as never,
      sort: 'order',
      limit: PAGE,
      after: after ?? '',
      fields: dealFields,
      expand: dealExpand,
      count: after === undefined,
    },
    { signal },
  )
  const page: CardPage<Deal> = { items: items as unknown as Deal[] }
  if (_meta.hasMore && _meta.next) page.next = _meta.next
  const total = totalOf(_meta)
  if (total !== undefined) page.total = total
  return page
}

/** The first deals of these stages, or of all of the funnel. */
export async function readFirst(
  { idFunnel, filter }: { idFunnel: number; filter: AnyFilter },
  stages: readonly number[] | 'all',
): Promise<ReadonlyMap<number, CardPage<Deal>>> {
  const found = await quiet.grouped(Lead, {
    group: stages === 'all' ? { idFunnel } : { id: { in: stages } },
    filter: filter as never,
    sort: 'order',
    limit: FIRST_CARDS,
    fields: dealFields,
    expand: dealExpand,
    count: true,
  })
  return pagesOf<Deal>(found)
}

/** The deals of these ids that still stand on the board as it is filtered. */
export async function readDeals(filter: AnyFilter, stages: readonly number[], ids: readonly number[]): Promise<Deal[]> {
  const found: Deal[] = []
  for (let at = 0; at < ids.length; at += IDS) {
    const { items } = await quiet.list(Lead, {
      filter: { idStage: { in: stages }, id: { in: ids.slice(at, at + IDS) }, ...filter } as never,
      limit: IDS,
      fields: dealFields,
      expand: dealExpand,
    })
    found.push(...(items as unknown as Deal[]))
  }
  return found
}

export async function countStage(filter: AnyFilter, idStage: number): Promise<number | undefined> {
  const { _meta } = await quiet.list(Lead, {
    filter: { idStage, ...filter } as never,
    limit: 0,
    count: true,
    fields: ['id'] as never[],
  })
  return totalOf(_meta)
}

/** A board that cannot be read shows that in its place, and background reads show nothing. */
export const quiet = recordsWith({ forbidden: 'silent', quiet: true })

/** The address of a deal, to hand to somebody. */
export const dealLink = (idFunnel: number, id: number): string =>
  `${location.origin}/app/deals?funnel=${idFunnel}&lead=${id}`
