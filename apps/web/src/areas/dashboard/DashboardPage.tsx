import { Menu } from '@mantine/core'
import { isReportWidget } from '@ordinator/model/areas/reports/widgets'
import { pageByKey } from '@ordinator/model/pages'
import {
  IconArrowLeft,
  IconArrowRight,
  IconArrowsHorizontal,
  IconGripVertical,
  IconLayoutGridAdd,
  IconX,
} from '@tabler/icons-react'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { ExchangeBlock } from '#areas/egisz/index.ts'
import { LeaveBlock } from '#areas/eln/index.ts'
import { MyKpi, PlanBlock } from '#areas/kpi/index.ts'
import { LaboratoryBlock } from '#areas/laboratory/index.ts'
import { CashBlock } from '#areas/money/index.ts'
import { NewsBlock } from '#areas/news/index.ts'
import { MyVisits, TodayNumbers } from '#areas/schedule/index.ts'
import { StartCard } from '#areas/start/index.ts'
import { BackupAlert } from '#areas/upkeep/index.ts'
import { StockBlock } from '#areas/warehouse/index.ts'
import { knownTime, useKnownAnswers } from '#base/knownAnswers.ts'
import { usePreference } from '#base/preferences.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { MenuItem } from '#kit/ActionMenu.tsx'
import { zoneNow } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { Revealed, RevealTogether, useRevealed, useSettled } from '#kit/RevealTogether.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { useSortable } from '#kit/useSortable.ts'
import { WidgetCard } from '#kit/WidgetCard.tsx'
import { Conversations } from './Conversations.tsx'
import classes from './DashboardPage.module.css'
import { FavouriteBoards } from './FavouriteBoards.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import {
  isOpen,
  isOwnBlock,
  moved,
  type OwnBlockKey,
  offered,
  type Place,
  presetOf,
  put,
  readLayout,
  titleOf,
  type Width,
  widened,
} from './layout.ts'
import { MyTasks } from './MyTasks.tsx'
import { Numbers } from './Numbers.tsx'
import { ReportBlock } from './ReportBlock.tsx'
import { useKeptHeights } from './useKeptHeights.ts'
import { useLanes } from './useLanes.ts'
import { useWidgetFigures } from './useWidgetFigures.ts'
import { WhatsNew } from './WhatsNew.tsx'

const page = pageByKey('dashboard')

const drawn: Record<OwnBlockKey, React.ComponentType & { load?: () => Promise<void> }> = {
  today: TodayNumbers,
  myVisits: MyVisits,
  conversations: Conversations,
  cash: CashBlock,
  tasks: MyTasks,
  boards: FavouriteBoards,
  news: NewsBlock,
  plan: PlanBlock,
  laboratory: LaboratoryBlock,
  stock: StockBlock,
  exchange: ExchangeBlock,
  leaves: LeaveBlock,
}

/** Рабочий стол: pending work, and blocks in the user's own layout, or in the default by rights. */
export default function DashboardPage() {
  const actor = useActor()
  const [{ places: own }, keep] = usePreference('dashboard', readLayout, 'account')
  const [isEdited, setEdited] = useState(false)
  const places = own ?? presetOf(actor)
  const lay = (next: Place[] | null) => keep({ places: next })
  const shown = places.filter(({ key }) => isOpen(actor, key)).flatMap(({ key }) => (isReportWidget(key) ? [key] : []))
  const { answerOf, refresh, isPending } = useWidgetFigures(shown)
  const known = useKnownAnswers('dashboard')
  const isLoaded = useLoaded(places)
  const rest = offered(actor).filter((key) => !places.some((one) => one.key === key))
  const block = (key: string) => {
    if (!isOpen(actor, key))
      return (
        <WidgetCard
          title={titleOf(key)}
          none="Этот блок закрыт вашими правами. Уберите его или попросите доступ у администратора."
        />
      )
    if (isOwnBlock(key)) {
      const Drawn = drawn[key]
      return <Drawn />
    }
    return isReportWidget(key) ? <ReportBlock widgetKey={key} answer={answerOf(key)} onRefresh={refresh} /> : null
  }
  return (
    <RevealTogether busy={isPending || !isLoaded} ready={known.found}>
      <PageHead
        title={page.title}
        help={[today(new Date()), knownTime(known)].filter(Boolean).join(' · ')}
        actions={
          <HStack gap={8} wrap>
            {isEdited && (
              <>
                <Menu position="bottom-end" width={260}>
                  <Menu.Target>
                    <ActionButton
                      label="Добавить блок"
                      variant="default"
                      icon={IconLayoutGridAdd}
                      disabled={!rest.length}
                    />
                  </Menu.Target>
                  <Menu.Dropdown>
                    {rest.map((key) => (
                      <MenuItem key={key} label={titleOf(key)} onClick={() => lay([...places, { key, width: 1 }])} />
                    ))}
                  </Menu.Dropdown>
                </Menu>
                <ActionButton label="Как у роли" variant="default" disabled={own === null} onClick={() => lay(null)} />
              </>
            )}
            <ActionButton
              label={isEdited ? 'Готово' : 'Настроить'}
              variant={isEdited ? 'filled' : 'default'}
              onClick={() => setEdited(!isEdited)}
            />
          </HStack>
        }
      />
      <Revealed
        fallback={
          <div className={classes.above}>
            <LinesSkeleton lines={8} />
          </div>
        }
      >
        <Blocks places={places} isEdited={isEdited} lay={lay} block={block} />
      </Revealed>
    </RevealTogether>
  )
}

/** Loads the code of the blocks; false until it is there. */
function useLoaded(places: readonly Place[]): boolean {
  const [isLoaded, setLoaded] = useState(false)
  const keys = places.map(({ key }) => key).join()
  useEffect(() => {
    let left = false
    const loads = keys.split(',').map((key) => (isOwnBlock(key) ? drawn[key].load?.() : undefined))
    void Promise.all(loads).then(() => !left && setLoaded(true))
    return () => {
      left = true
    }
  }, [keys])
  return isLoaded
}

interface BlocksProps {
  places: readonly Place[]
  isEdited: boolean
  lay: (next: Place[]) => void
  block: (key: string) => ReactNode
}

/** Numbers and offers, and the blocks below them, laid out before they are painted. */
function Blocks({ places, isEdited, lay, block }: BlocksProps) {
  const frame = useRef<HTMLDivElement>(null)
  const grid = useRef<HTMLDivElement>(null)
  const kept = useKeptHeights(frame, useSettled())
  return (
    <div ref={frame}>
      <div className={classes.head} {...kept('head')}>
        <BackupAlert />
        <FirstSteps />
        <StartCard />
        <WhatsNew />
        <Numbers />
        <div className={classes.above}>
          <MyKpi />
        </div>
      </div>
      <div ref={grid} className={classes.page} data-edited={isEdited || undefined}>
        {places.length === 0 && (
          <EmptyState title="Блоков нет" text="Нажмите «Настроить» и добавьте те, что нужны каждый день." />
        )}
        {places.map((place, at) => (
          <Placed
            key={place.key}
            place={place}
            at={at}
            count={places.length}
            isEdited={isEdited}
            kept={kept(place.key)}
            onMove={(by) => lay(moved(places, place.key, by))}
            onPut={(from, to) => lay(put(places, from, to))}
            onWiden={() => lay(widened(places, place.key))}
            onRemove={() => lay(places.filter(({ key }) => key !== place.key))}
          >
            {block(place.key)}
          </Placed>
        ))}
      </div>
      <Lanes grid={grid} places={places} />
    </div>
  )
}

function Lanes({ grid, places }: { grid: RefObject<HTMLDivElement | null>; places: readonly Place[] }) {
  const [revealed, settled] = [useRevealed(), useSettled()]
  useLanes(grid, [revealed, settled, ...places.map(({ key, width }) => `${key} ${width}`)].join())
  return null
}

interface PlacedProps extends Omit<ToolsProps, 'grip'> {
  place: Place
  isEdited: boolean
  /** Attributes that keep its room: see useKeptHeights.ts. */
  kept: ReturnType<ReturnType<typeof useKeptHeights>>
  /** Moves a block before another one, or to the end. */
  onPut: (from: number, to: number) => void
  children: ReactNode
}

/** A block; in edit mode with its tools. */
function Placed({ isEdited, kept, onPut, children, ...tools }: PlacedProps) {
  const { place, at } = tools
  const grip = useRef<HTMLSpanElement>(null)
  const { ref, edge, dragging } = useSortable<HTMLDivElement>({
    kind: 'dashboard',
    id: at,
    disabled: !isEdited,
    across: true,
    handle: grip,
    onPut: (from, to) => onPut(from, to.before ?? (to.after as number) + 1),
  })
  return (
    <div
      ref={ref}
      {...kept}
      className={classes.place}
      data-width={place.width}
      data-edge={edge ?? undefined}
      data-dragging={dragging || undefined}
    >
      {isEdited && <Tools grip={grip} {...tools} />}
      {children}
    </div>
  )
}

interface ToolsProps {
  place: Place
  at: number
  count: number
  grip: RefObject<HTMLSpanElement | null>
  onMove: (by: -1 | 1) => void
  onWiden: () => void
  onRemove: () => void
}

/** Tools of a block: drag, move, resize, remove; also by arrows and Delete from any of its buttons. */
function Tools({ place: { key, width }, at, count, grip, onMove, onWiden, onRemove }: ToolsProps) {
  const title = titleOf(key)
  return (
    <div
      className={classes.tools}
      role="toolbar"
      aria-label={`Блок «${title}», ${at + 1} из ${count}`}
      onKeyDown={(event) => {
        if (event.key === 'ArrowLeft' || event.key === 'ArrowUp') onMove(-1)
        else if (event.key === 'ArrowRight' || event.key === 'ArrowDown') onMove(1)
        else if (event.key === 'Delete') onRemove()
        else return
        event.preventDefault()
      }}
    >
      <span ref={grip} className={classes.grip}>
        <IconGripVertical size={16} aria-hidden />
        <span>{title}</span>
      </span>
      <IconButton
        icon={IconArrowLeft}
        size={28}
        label={`Раньше: ${title}`}
        disabled={at === 0}
        onClick={() => onMove(-1)}
      />
      <IconButton
        icon={IconArrowRight}
        size={28}
        label={`Позже: ${title}`}
        disabled={at === count - 1}
        onClick={() => onMove(1)}
      />
      <IconButton
        icon={IconArrowsHorizontal}
        size={28}
        label={`Ширина: ${title}, сейчас ${widthNames[width]}`}
        onClick={onWiden}
      />
      <IconButton icon={IconX} size={28} label={`Убрать: ${title}`} onClick={onRemove} />
    </div>
  )
}

const widthNames = { 1: 'треть', 2: 'две трети', 3: 'вся строка' } as const satisfies Record<Width, string>

function today(now: Date): string {
  const text = now.toLocaleDateString('ru-RU', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: zoneNow(),
  })
  return text[0]?.toUpperCase() + text.slice(1)
}
