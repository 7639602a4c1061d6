import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'
import { Box } from '@mantine/core'
import { Assigned, Executor, Responsible, Task } from '@ordinator/model/areas/tasks/task'
import { formatNumber } from '@ordinator/model/format'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { type CSSProperties, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { records } from '#base/client.ts'
import { usePreference } from '#base/preferences.ts'
import type { BoardController } from '#kit/board/controller.ts'
import type { Place } from '#kit/board/pages.ts'
import { notify } from '#kit/notify.tsx'
import { Dot } from '#kit/Stacks.tsx'
import { UserAvatar } from '#kit/UserAvatar.tsx'
import { Fine } from '#kit/Words.tsx'
import { readClosed } from '#records/closedSections.ts'
import { type Grouping, groupings, type TasksAddress } from '../address.ts'
import { type Card, type CardFilter, ofCard } from '../cards.ts'
import type { GroupValue, TaskGroup } from '../views/groups.ts'
import { type BoardStore, notifyBoardFailure } from './boardStore.ts'
import { Kanban } from './Kanban.tsx'
import classes from './Lanes.module.css'
import type { BoardData, BoardRights, ColumnRow } from './useBoardData.ts'

/** Limits of a lane's height in pixels; a fuller column scrolls. */
const MAX_HEIGHT = 420
const MIN_HEIGHT = 96
const CARD_HEIGHT = 92
/** Lanes are loaded at this distance from the viewport. */
const NEAR = '200px'

interface Props {
  idBoard: number
  data: BoardData
  rights: BoardRights
  columns: readonly ColumnRow[]
  grouping: Grouping
  groups: readonly TaskGroup[]
  filter: CardFilter
  address: TasksAddress
  open: (id: number) => void
  onStore: (store: BoardStore) => void
}

/**
 * Board with lanes: each lane is a board with its own filter, loaded near the viewport. Dropping a card on another lane
 * sets the lane's value.
 */
export function Lanes(props: Props) {
  const { idBoard, rights, columns, grouping, groups } = props
  const [closed, setClosed] = usePreference(`lanes:${idBoard}`, readClosed, 'device')
  const [active, setActive] = useState(groups[0]?.key)
  const family = useMemo(() => Symbol('lanes'), [])
  const scroller = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    return autoScrollForElements({ element, canScroll: ({ source }) => source.data.family === family })
  }, [family])
  const lanes = useRef(new Map<BoardController, { group: TaskGroup; store: BoardStore }>())

  const leave = useCallback(
    async (card: Card, from: TaskGroup, store: BoardStore, there: BoardController, place: Place) => {
      const target = lanes.current.get(there)
      if (!target || !from.value || !target.group.value) {
        notify.info(`Дорожку «${groupings[grouping]}» перетаскиванием не меняют`, { id: 'lane' })
        return
      }
      if (!rights.task(grouping === 'importance' ? 'edit' : 'assign', card.task)) {
        notify.info('У вас нет права изменить это у задачи', { id: 'lane' })
        return
      }
      try {
        await give(card, from.value, target.group.value)
        const { column, ...where } = place
        if (column !== card.idColumn) await records.move(Assigned, card.id, { ...where, to: { idColumn: column } })
      } catch (error) {
        notifyBoardFailure(error)
      }
      store.refresh([card.id])
      target.store.refresh([card.id])
    },
    [grouping, rights],
  )

  return (
    <div ref={scroller} className={classes.lanes}>
      <div className={classes.heads} aria-hidden>
        {columns.map((column) => (
          <div key={column.id} className={classes.columnHead}>
            <Dot size={10} color={column.color} />
            {column.name}
          </div>
        ))}
      </div>
      {groups.map((group) => {
        const isClosed = closed.keys.includes(group.key)
        return (
          <Lane
            key={group.key}
            {...props}
            group={group}
            family={family}
            closed={isClosed}
            onToggle={() =>
              setClosed({ keys: isClosed ? closed.keys.filter((k) => k !== group.key) : [...closed.keys, group.key] })
            }
            active={active === group.key}
            onActive={setActive}
            onLeave={leave}
            lanes={lanes.current}
          />
        )
      })}
    </div>
  )
}

interface OneProps extends Props {
  group: TaskGroup
  family: symbol
  closed: boolean
  onToggle: () => void
  active: boolean
  onActive: (key: string) => void
  onLeave: (card: Card, from: TaskGroup, store: BoardStore, there: BoardController, place: Place) => void
  lanes: Map<BoardController, { group: TaskGroup; store: BoardStore }>
}

function Lane({ group, family, closed, onToggle, active, onActive, onLeave, lanes, ...props }: OneProps) {
  const { filter, columns, onStore } = props
  const [near, setNear] = useState(false)
  const [totals, setTotals] = useState<Readonly<Record<number, number>>>({})
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    const element = section.current
    if (!element || near) return
    const observer = new IntersectionObserver((entries) => entries.some((e) => e.isIntersecting) && setNear(true), {
      rootMargin: NEAR,
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [near])

  const latest = useRef({ onLeave, group })
  latest.current = { onLeave, group }
  const lane = useMemo(() => {
    let mine: BoardController | undefined
    return {
      family,
      onLeave: (card: Card, store: BoardStore, there: BoardController, place: Place) =>
        latest.current.onLeave(card, latest.current.group, store, there, place),
      onTotal: (idColumn: number, total: number) =>
        setTotals((known) => (known[idColumn] === total ? known : { ...known, [idColumn]: total })),
      onReady: (controller: BoardController, store: BoardStore) => {
        mine = controller
        lanes.set(controller, { group: latest.current.group, store })
        return () => void (mine && lanes.delete(mine))
      },
    }
  }, [family, lanes])

  const known = columns.map((column) => totals[column.id])
  const count = known.every((total) => total !== undefined)
    ? known.reduce((sum, total) => sum + (total ?? 0), 0)
    : undefined
  const most = Math.max(0, ...known.map((total) => total ?? 0))
  const height = Math.min(MAX_HEIGHT, Math.max(MIN_HEIGHT, most * CARD_HEIGHT + 24))
  const Arrow = closed ? IconChevronRight : IconChevronDown
  return (
    <Box
      ref={section}
      aria-label={`Дорожка «${group.title}»`}
      component="section"
      w="max-content"
      miw="100%"
      onFocusCapture={() => onActive(group.key)}
      onPointerEnter={() => onActive(group.key)}
      style={{ '--lane-height': `${height}px` } as CSSProperties}
    >
      <h2 className={classes.title}>
        <button type="button" className={classes.toggle} aria-expanded={!closed} onClick={onToggle}>
          <Arrow size={16} aria-hidden />
          {group.user && <UserAvatar user={group.user} size={24} />}
          {group.color && <Dot size={10} color={group.color} />}
          {group.title}
          {count !== undefined && <Fine>{formatNumber(count)}</Fine>}
        </button>
      </h2>
      {!closed &&
        (near ? (
          <Kanban
            {...props}
            label={`Дорожка «${group.title}»`}
            filter={{ and: [filter, (group.ofCards ? group.filter : ofCard(group.filter)) as CardFilter] }}
            onStore={onStore}
            lane={lane}
            active={active}
          />
        ) : (
          <Box h={200} />
        ))}
    </Box>
  )
}

/** Sets the lane's value on the card's task, and removes that of the former lane. */
async function give({ idTask, task }: Card, from: GroupValue, to: GroupValue): Promise<void> {
  if (to.kind === 'importance') {
    await records.update(Task, idTask, { importance: to.importance })
    return
  }
  if (from.kind === 'importance') return
  const entity = to.kind === 'executors' ? Executor : Responsible
  const there = task[to.kind]
  const gone = there.find((person) => person.idMember === from.member?.id)
  const wanted = to.member && !there.some((person) => person.idMember === to.member?.id) ? to.member.id : undefined
  const members = to.member ? (gone ? [gone.id] : []) : there.map((person) => person.id)
  await records.batch(entity, {
    ...(wanted && { create: [{ idTask, idMember: wanted }] }),
    delete: members,
  })
}
