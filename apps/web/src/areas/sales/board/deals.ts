import type { Stage } from '@ordinator/model/areas/sales/funnel'
import { Lead } from '@ordinator/model/areas/sales/lead'
import { behind, type Expanded, type Filter, totalOf } from '@ordinator/model/client'
import type { Row } from '@ordinator/model/entity'
import { recordsWith } from '#base/client.ts'
import type { CardPage } from '#kit/board/pages.ts'
import { FIRST_CARDS, pagesOf } from '#records/board/cardStore.ts'

const PAGE = 50
/** Ids per filter, to keep the URL short. */
const IDS = 100

export type StageRow = Row<typeof Stage>

export const dealExpand = ['contacts', 'responsible.user', 'tags'] as const

/** Only fields of the card: a board of thousands of deals must not load descriptions. */
export const dealFields = [
  ...(['title', 'idStage', 'order', 'price', 'idSource', 'dateStage', 'dateExpected'] as const),
  ...(['nextStep', 'dateNextStep', 'idLossReason', 'canComplete', 'offersTotalCount'] as const),
  ...(['tasksTotalCount', 'chatsTotalCount', 'commentsTotalCount'] as const),
  ...behind('contacts', ['fio', 'phone']),
  ...behind('tags', ['name', 'color', 'icon']),
  'responsible.idUser' as const,
  ...behind('responsible.user', ['shortFio', 'surname', 'name', 'avatar']),
]

/** A deal for boards and lists. */
export type Deal = Expanded<typeof Lead, (typeof dealExpand)[number], (typeof dealFields)[number]>

/** A deal without a stage is in no funnel. */
export const stageOf = ({ idStage }: Pick<Deal, 'idStage'>) => idStage as number

export async function readStage(
  filter: Filter<typeof Lead>,
  idStage: number,
  after: string | undefined,
  signal: AbortSignal,
): Promise<CardPage<Deal>> {
  const { items, _meta } = await silentRecords.list(
    Lead,
    {
      filter: { idStage, ...filter },
      sort: 'order',
      limit: PAGE,
      after: after ?? '',
      fields: dealFields,
      expand: dealExpand,
      count: after === undefined,
    },
    { signal },
  )
  const page: CardPage<Deal> = { items }
  if (_meta.hasMore && _meta.next) page.next = _meta.next
  const total = totalOf(_meta)
  if (total !== undefined) page.total = total
  return page
}

/** The first deals of these stages, or of the whole funnel. */
export async function readFirst(
  { idFunnel, filter }: { idFunnel: number; filter: Filter<typeof Lead> },
  stages: readonly number[] | 'all',
): Promise<ReadonlyMap<number, CardPage<Deal>>> {
  const found = await silentRecords.grouped(Lead, {
    group: stages === 'all' ? { idFunnel } : { id: { in: stages } },
    filter,
    sort: 'order',
    limit: FIRST_CARDS,
    fields: dealFields,
    expand: dealExpand,
    count: true,
  })
  return pagesOf<Deal>(found)
}

/** Deals by id that match the board's filter. */
export async function readDeals(
  filter: Filter<typeof Lead>,
  stages: readonly number[],
  ids: readonly number[],
): Promise<Deal[]> {
  const found: Deal[] = []
  for (let at = 0; at < ids.length; at += IDS) {
    const { items } = await silentRecords.list(Lead, {
      filter: { idStage: { in: stages }, id: { in: ids.slice(at, at + IDS) }, ...filter },
      limit: IDS,
      fields: dealFields,
      expand: dealExpand,
    })
    found.push(...items)
  }
  return found
}

export async function countStage(filter: Filter<typeof Lead>, idStage: number): Promise<number | undefined> {
  const { _meta } = await silentRecords.list(Lead, {
    filter: { idStage, ...filter },
    limit: 0,
    count: true,
    fields: ['id'],
  })
  return totalOf(_meta)
}

/** Errors of a board are shown in its place; background reads show none. */
export const silentRecords = recordsWith({ forbidden: 'silent', quiet: true })

/** URL of a deal, to share. */
export const dealPath = (idFunnel: number, id: number): string => `/deals?funnel=${idFunnel}&lead=${id}`
