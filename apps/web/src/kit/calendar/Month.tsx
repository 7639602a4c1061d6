import { useRef, useState } from 'react'
import { dayOf, formatTime } from '../clock.ts'
import classes from './Calendar.module.css'
import { useCalendarDrag, useCalendarDrop } from './drag.ts'
import { type CalendarItem, type CalendarProps, daysOfItem, daysShown, movedToDay, wholeDay } from './item.ts'

/** Items of a day before «Ещё». */
const SHOWN = 4
const WEEKDAYS = ['пн', 'вт', 'ср', 'чт', 'пт', 'сб', 'вс']

/** Weeks of a month; an item is on each of its days. */
export function Month(props: CalendarProps) {
  const { date, items } = props
  const days = daysShown('month', date)
  const now = dayOf(new Date())
  const ordered = [...items].sort((a, b) => a.start.localeCompare(b.start) || a.id - b.id)
  return (
    <div className={classes.month}>
      <div className={classes.weekdays} aria-hidden>
        {WEEKDAYS.map((day) => (
          <span key={day}>{day}</span>
        ))}
      </div>
      <div className={classes.days}>
        {days.map((day) => (
          <Day
            key={day}
            {...props}
            day={day}
            items={ordered.filter((item) => isOn(item, day))}
            isOther={day.slice(0, 7) !== date.slice(0, 7)}
            isToday={day === now}
            find={(id) => items.find((item) => item.id === id)}
          />
        ))}
      </div>
    </div>
  )
}

function isOn(item: CalendarItem, day: string): boolean {
  const [first, last] = daysOfItem(item)
  return first <= day && day <= last
}

interface DayProps extends Omit<CalendarProps, 'span' | 'date'> {
  day: string
  isOther: boolean
  isToday: boolean
  find: (id: number) => CalendarItem | undefined
}

function Day({ day, items, isOther, isToday, find, onOpen, onMenu, onMove, onSelect, onReceive }: DayProps) {
  const cell = useRef<HTMLElement>(null)
  const [isWhole, setWhole] = useState(false)
  useCalendarDrop(cell, ({ id, own }) => {
    const item = own ? find(id) : undefined
    if (item) onMove(id, movedToDay(item, day))
    else if (!own) onReceive(id, wholeDay(day))
  })
  const shown = isWhole || items.length <= SHOWN ? items : items.slice(0, SHOWN - 1)
  const words = new Date(`${day}T00:00Z`).toLocaleDateString('ru-RU', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  })
  const number = Number(day.slice(8))
  return (
    <section
      ref={cell}
      className={classes.day}
      aria-label={words}
      data-other={isOther || undefined}
      data-today={isToday || undefined}
    >
      {onSelect ? (
        <button
          type="button"
          className={classes.number}
          aria-label={`${words}: создать`}
          onClick={() => onSelect(wholeDay(day))}
        >
          {number}
        </button>
      ) : (
        <span className={classes.number}>{number}</span>
      )}
      {shown.map((item) => (
        <Item key={item.id} item={item} day={day} onOpen={onOpen} onMenu={onMenu} />
      ))}
      {shown.length < items.length && (
        <button type="button" className={classes.more} onClick={() => setWhole(true)}>
          Ещё {items.length - shown.length}
        </button>
      )}
    </section>
  )
}

interface ItemProps extends Pick<CalendarProps, 'onOpen' | 'onMenu'> {
  item: CalendarItem
  day: string
}

function Item({ item, day, onOpen, onMenu }: ItemProps) {
  const button = useRef<HTMLButtonElement>(null)
  useCalendarDrag(button, item.id, item.movable, true)
  const time = dayOf(item.start) === day ? formatTime(item.start) : ''
  return (
    <button
      ref={button}
      type="button"
      data-item={item.id}
      data-done={item.done || undefined}
      className={classes.item}
      style={{ '--item': item.color } as React.CSSProperties}
      title={[time, item.title].filter(Boolean).join(' ')}
      onClick={() => onOpen(item.id)}
      onContextMenu={(event) => {
        event.preventDefault()
        onMenu(item.id)
      }}
      onKeyDown={(event) => {
        if (event.nativeEvent.code !== 'KeyM' || event.ctrlKey || event.metaKey) return
        event.preventDefault()
        onMenu(item.id)
      }}
    >
      {time && <span className="tabular">{time}</span>} {item.title}
    </button>
  )
}
