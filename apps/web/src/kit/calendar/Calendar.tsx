import { fromWall, toWall } from '../clock.ts'
import '@fullcalendar/react/skeleton.css'
import '@fullcalendar/react/themes/classic/theme.css'
import FullCalendar, {
  type CalendarOptions,
  type EventApi,
  type EventInput,
  useCalendarController,
} from '@fullcalendar/react'
import dayGrid from '@fullcalendar/react/daygrid'
import interaction, { Draggable } from '@fullcalendar/react/interaction'
import ru from '@fullcalendar/react/locales/ru'
import classicTheme from '@fullcalendar/react/themes/classic'
import timeGrid from '@fullcalendar/react/timegrid'
import { type RefObject, useEffect, useMemo, useRef } from 'react'
import classes from './Calendar.module.css'

export type CalendarSpan = 'month' | 'week' | 'day'

/** An item of the calendar. Without `end` it is a point in time: a deadline. */
export interface CalendarItem {
  id: number
  title: string
  /** ISO. */
  start: string
  end?: string
  color: string
  movable: boolean
  /** Struck through. */
  done?: boolean
}

/** Target of a drop: start and end, and whether it is a whole day. */
export interface CalendarPlace {
  start: Date
  end: Date | null
  allDay: boolean
}

interface Props {
  span: CalendarSpan
  /** A visible day, `YYYY-MM-DD`. */
  date: string
  items: readonly CalendarItem[]
  onOpen: (id: number) => void
  /** Opens the menu of an item: right click, menu key, `m`. */
  onMenu: (id: number, element: HTMLElement) => void
  /** Shows the change at once; `back` reverts it. */
  onMove: (id: number, place: CalendarPlace, back: () => void) => void
  /** Days or hours were selected in an empty area; absent: nothing can be created. */
  onSelect?: (place: CalendarPlace) => void
  /** A `[data-drag]` element of `outside` was dropped here. */
  onReceive: (id: number, place: CalendarPlace) => void
  outside: RefObject<HTMLElement | null>
}

const views: Record<CalendarSpan, string> = { month: 'dayGridMonth', week: 'timeGridWeek', day: 'timeGridDay' }
const plugins = [dayGrid, timeGrid, interaction, classicTheme]
const locales = [ru]
const moreHint = (count: number) => `Показать ещё ${count}`
const wallNow = () => toWall(new Date())
const clock = { hour: '2-digit', minute: '2-digit', hour12: false } as const

/** A month, week or day calendar with draggable items, independent of any entity. */
export default function Calendar(props: Props) {
  const { span, date, items, outside } = props
  const controller = useCalendarController()
  const frame = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the calendar is told only what changed
  useEffect(() => {
    if (controller.view && controller.view.type !== views[span]) controller.changeView(views[span])
    controller.gotoDate(date)
  }, [span, date])

  useEffect(() => {
    if (!outside.current) return
    const draggable = new Draggable(outside.current, {
      itemSelector: '[data-drag]',
      eventData: (element: HTMLElement) => ({ id: `new-${element.dataset.drag}`, title: element.dataset.title }),
    })
    return () => draggable.destroy()
  }, [outside])

  const latest = useRef(props)
  latest.current = props
  // The calendar re-renders for every option with a new identity.
  const events = useMemo(() => items.map(eventOf), [items])
  const handlers = useMemo((): CalendarOptions => {
    const moved = ({ event, revert }: { event: EventApi; revert: () => void }) =>
      latest.current.onMove(Number(event.id), placeOf(event), revert)
    return {
      eventDidMount: ({ el, event }) => {
        el.dataset.item = event.id
        el.style.setProperty('--item', String(event.extendedProps.tone))
      },
      eventClick: ({ event, jsEvent }) => {
        jsEvent.preventDefault()
        latest.current.onOpen(Number(event.id))
      },
      eventDrop: moved,
      eventResize: moved,
      eventReceive: ({ event }) => {
        const place = placeOf(event)
        event.remove()
        latest.current.onReceive(Number(event.id.slice('new-'.length)), place)
      },
      select: ({ start, end, allDay }) => latest.current.onSelect?.(placeOf({ start, end, allDay })),
    }
  }, [])
  const ask = (target: EventTarget | null): boolean => {
    const element = (target as HTMLElement | null)?.closest<HTMLElement>('[data-item]')
    if (element) latest.current.onMenu(Number(element.dataset.item), element)
    return element !== null && element !== undefined
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: listens for the events inside, which are buttons
    <div
      ref={frame}
      className={classes.calendar}
      onContextMenu={(event) => ask(event.target) && event.preventDefault()}
      onKeyDown={(event) => {
        if (event.nativeEvent.code === 'KeyM' && !event.ctrlKey && !event.metaKey && ask(event.target))
          event.preventDefault()
      }}
    >
      <FullCalendar
        controller={controller}
        plugins={plugins}
        locales={locales}
        locale="ru"
        timeZone="UTC"
        now={wallNow}
        initialView={views[span]}
        initialDate={date}
        headerToolbar={false}
        height="100%"
        firstDay={1}
        nowIndicator
        allDaySlot={false}
        dayMaxEvents
        slotHeaderFormat={clock}
        eventTimeFormat={clock}
        scrollTime="08:00"
        moreLinkHint={moreHint}
        eventInteractive
        droppable
        selectable={props.onSelect !== undefined}
        selectMirror
        defaultTimedEventDuration="00:30"
        events={events}
        {...handlers}
      />
    </div>
  )
}

// The grid is rendered in UTC with the user's local time, so that the computer's own zone does not matter.
const placeOf = ({ start, end, allDay }: { start: Date | null; end: Date | null; allDay: boolean }): CalendarPlace => ({
  start: fromWall(start as Date),
  end: end && fromWall(end),
  allDay,
})

const eventOf = ({ id, title, start, end, color, movable, done }: CalendarItem): EventInput => ({
  id: String(id),
  title,
  start: toWall(start),
  end: end && toWall(end),
  editable: movable,
  allDay: false,
  color: `color-mix(in srgb, ${color} 18%, var(--mantine-color-body))`,
  contrastColor: 'var(--mantine-color-text)',
  extendedProps: { tone: color },
  className: done ? (classes.done as string) : undefined,
})
