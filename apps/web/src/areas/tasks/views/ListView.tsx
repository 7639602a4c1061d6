import { Assigned } from '@ordinator/model/areas/tasks/task'
import { totalOf } from '@ordinator/model/client'
import { useRef } from 'react'
import { usePreference } from '#base/preferences.ts'
import { useRowKeys } from '#kit/useRowKeys.ts'
import { readClosed } from '#records/closedSections.ts'
import { ListSection } from '#records/ListSection.tsx'
import { useEndlessList } from '#records/reads.ts'
import type { TasksAddress } from '../address.ts'
import type { ColumnRow } from '../board/useBoardData.ts'
import { type CardFilter, cardExpand, cardFields, ofCard, sortOf } from '../cards.ts'
import type { TaskGroup } from './groups.ts'
import classes from './ListView.module.css'
import { TaskRow } from './TaskRow.tsx'

const PORTION = 50

interface Props {
  idBoard: number
  groups: readonly TaskGroup[]
  columns: readonly ColumnRow[]
  filter: CardFilter
  address: TasksAddress
}

/** Tasks of a workspace as a grouped list. */
export default function ListView({ idBoard, groups, columns, filter, address }: Props) {
  const [closed, setClosed] = usePreference(`list-groups:${idBoard}`, readClosed, 'device')
  const frame = useRef<HTMLDivElement>(null)
  useRowKeys(frame, address.assignedColumn === undefined)
  return (
    <div ref={frame} className={classes.list}>
      {groups.map((group) => {
        const isClosed = closed.keys.includes(group.key)
        return (
          <Section
            key={group.key}
            group={group}
            columns={columns}
            filter={filter}
            address={address}
            closed={isClosed}
            onToggle={() =>
              setClosed({ keys: isClosed ? closed.keys.filter((k) => k !== group.key) : [...closed.keys, group.key] })
            }
          />
        )
      })}
    </div>
  )
}

interface SectionProps {
  group: TaskGroup & { tone?: 'late' }
  columns: readonly ColumnRow[]
  filter: CardFilter
  address: TasksAddress
  closed: boolean
  onToggle: () => void
}

function Section({ group, columns, filter, address, closed, onToggle }: SectionProps) {
  const own = (group.ofCards ? group.filter : ofCard(group.filter)) as CardFilter
  const inBoard = group.ofCards ? {} : { idColumn: { in: columns.map((column) => column.id) } }
  const list = useEndlessList(
    Assigned,
    {
      filter: { and: [inBoard as CardFilter, own, filter] },
      // The manual order of one column does not apply to several.
      sort: sortOf(address.order ?? (group.ofCards ? undefined : 'due')),
      limit: PORTION,
      count: true,
      fields: cardFields,
      expand: cardExpand,
    },
    { forbidden: 'silent', enabled: !closed },
  )
  const cards = list.items
  return (
    <ListSection
      title={group.title}
      color={group.color}
      user={group.user}
      tone={group.tone}
      closed={closed}
      onToggle={onToggle}
      total={totalOf(list.data?.pages[0]?._meta)}
      loading={list.isPending}
      error={list.isError && cards.length === 0 ? list.error : null}
      onRetry={() => void list.refetch()}
      hasMore={list.hasNextPage}
      loadingMore={list.isFetchingNextPage}
      onMore={() => void list.fetchNextPage()}
      empty="Задач нет"
    >
      {cards.map((card) => (
        <TaskRow
          key={card.id}
          task={card.task}
          opens={{ assignedColumn: card.id }}
          place={group.ofCards ? undefined : columns.find((column) => column.id === card.idColumn)?.name}
        />
      ))}
    </ListSection>
  )
}
