import type { Stage } from '@ordinator/model/areas/sales/funnel'
import { Lead } from '@ordinator/model/areas/sales/lead'
import { behind, type Expanded, type Filter, totalOf } from '@ordinator/model/client'
import type { Row } from '@ordinator/model/entity'
import { recordsWith } from '#base/client.ts'
import type { CardPage } from '#kit/board/pages.ts'
import { FIRST_CARDS, pagesOf } from '#records/board/cardStore.ts'

const PAGE = 50
/** Ids in one filter, so that the address stays short. */
const IDS = 100

export type StageRow = Row<typeof Stage>

export const dealExpand = ['contacts', 'responsible.user', 'tags'] as const

/** Only what the face shows: a board of thousands of deals must not carry their descriptions. */
export const dealFields = [
  ...(['title', 'idStage', 'order', 'price', 'idSource', 'dateStage', 'dateExpected'] as const),
  ...(['nextStep', 'dateNextStep', 'idLossReason', 'canComplete', 'offersTotalCount'] as const),
  ...(['tasksTotalCount', 'chatsTotalCount', 'commentsTotalCount'] as const),
  ...behind('contacts', ['fio', 'phone']),
  ...behind('tags', ['name', 'color', 'icon']),
  'responsible.idUser' as const,
  ...behind('responsible.user', ['shortFio', 'surname', 'name', 'avatar']),
]

/** A deal as the board and the lists show it. */
export type Deal = Expanded<typeof Lead, (typeof dealExpand)[number], (typeof dealFields)[number]>

/** A deal that has not begun has no stage, and stands in no funnel. */
export const stageOf = ({ idStage }: Pick<Deal, 'idStage'>) => idStage as number

export async function readStage(
  filter: Filter<typeof Lead>,
  idStage: number,
  after: string | undefined,
  signal: AbortSignal,
): Promise<CardPage<Deal>> {
  const { items, _meta } = await quiet.list(
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

/** The first deals of these stages, or of all of the funnel. */
export async function readFirst(
  { idFunnel, filter }: { idFunnel: number; filter: Filter<typeof Lead> },
  stages: readonly number[] | 'all',
): Promise<ReadonlyMap<number, CardPage<Deal>>> {
  const found = await quiet.grouped(Lead, {
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

/** The deals of these ids that still stand on the board as it is filtered. */
export async function readDeals(
  filter: Filter<typeof Lead>,
  stages: readonly number[],
  ids: readonly number[],
): Promise<Deal[]> {
  const found: Deal[] = []
  for (let at = 0; at < ids.length; at += IDS) {
    const { items } = await quiet.list(Lead, {
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
  const { _meta } = await quiet.list(Lead, {
    filter: { idStage, ...filter },
    limit: 0,
    count: true,
    fields: ['id'],
  })
  return totalOf(_meta)
}

/** A board that cannot be read shows that in its place, and background reads show nothing. */
export const quiet = recordsWith({ forbidden: 'silent', quiet: true })

/** The address of a deal, to hand to somebody. */
export const dealPath = (idFunnel: number, id: number): string => `/deals?funnel=${idFunnel}&lead=${id}`
