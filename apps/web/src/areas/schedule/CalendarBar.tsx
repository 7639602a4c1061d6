import { Menu, SegmentedControl, Select } from '@mantine/core'
import type { Filial } from '@ordinator/model/areas/filials/filial'
import type { Row } from '@ordinator/model/entity'
import {
  IconCalendarMonth,
  IconCalendarUser,
  IconChevronLeft,
  IconChevronRight,
  IconLayoutColumns,
  IconPrinter,
  IconSettings,
  IconUsers,
} from '@tabler/icons-react'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { ActionMenu, MenuItem } from '../../kit/ActionMenu.tsx'
import { DateField } from '../../kit/DateField.tsx'
import { isDay } from '../../kit/dateText.ts'
import { useHotkey } from '../../kit/hotkeys.ts'
import { IconButton } from '../../kit/IconButton.tsx'
import { MenuChoice } from '../../kit/MenuChoice.tsx'
import { ViewSwitch } from '../../kit/ViewSwitch.tsx'
import { type CalendarAddress, type CalendarView, calendarViews, type SetCalendarAddress } from './address.ts'
import classes from './Calendar.module.css'
import { dayWords, mondayOf, monthWords, plusDays, shortDay } from './day.ts'
import { steps, useStep } from './useStep.ts'

interface Props {
  address: CalendarAddress
  setAddress: SetCalendarAddress
  filials: readonly Pick<Row<typeof Filial>, 'id' | 'nameFilial'>[]
  idFilial: number | undefined
  day: string
  today: string
  view: CalendarView
}

const views = {
  day: { label: calendarViews.day, icon: IconLayoutColumns },
  week: { label: calendarViews.week, icon: IconCalendarUser },
  month: { label: calendarViews.month, icon: IconCalendarMonth },
  shifts: { label: calendarViews.shifts, icon: IconUsers },
} as const

const GROUP = 'Расписание'

/** The branch, the day and the view; how the grid is laid out. */
export function CalendarBar({ address, setAddress, filials, idFilial, day, today, view }: Props) {
  const [step, setStep] = useStep()
  const show = (next: string) => setAddress({ day: next === today ? undefined : next })
  const go = (way: 1 | -1) => show(turned(day, view, way))
  useHotkey('[', () => go(-1), { label: 'Раньше', group: GROUP })
  useHotkey(']', () => go(1), { label: 'Позже', group: GROUP })
  useHotkey('t', () => show(today), { label: 'Сегодня', group: GROUP })
  return (
    <div className={classes.bar}>
      <Select
        aria-label="Филиал"
        allowDeselect={false}
        w={200}
        data={filials.map(({ id, nameFilial }) => ({ value: String(id), label: nameFilial }))}
        value={idFilial === undefined ? null : String(idFilial)}
        onChange={(value) => setAddress({ filial: Number(value), doctors: undefined })}
      />
      <div className={classes.day}>
        <ActionButton label="Сегодня" variant="default" disabled={day === today} onClick={() => show(today)} />
        <IconButton icon={IconChevronLeft} variant="default" size={32} label="Раньше" onClick={() => go(-1)} />
        <IconButton icon={IconChevronRight} variant="default" size={32} label="Позже" onClick={() => go(1)} />
        <DateField aria-label="День" w={132} value={day} onChange={(value) => isDay(value) && show(value)} />
      </div>
      <span className={classes.spring} />
      {view === 'day' && (
        <SegmentedControl
          aria-label="Столбцы"
          data={[
            { value: 'doctors', label: 'Врачи' },
            { value: 'rooms', label: 'Кабинеты' },
          ]}
          value={address.by ?? 'doctors'}
          onChange={(by) => setAddress({ by: by === 'rooms' ? 'rooms' : undefined })}
        />
      )}
      <ViewSwitch
        views={views}
        view={view}
        onChange={(next) => setAddress({ view: next === 'day' ? undefined : next })}
      />
      {(view === 'day' || view === 'week') && (
        <ActionMenu label="Вид сетки" icon={IconSettings} variant="default" width={240}>
          <Menu.Label>Шаг сетки</Menu.Label>
          {steps.map((one) => (
            <MenuChoice key={one} on={one === step} label={`${one} минут`} onClick={() => setStep(one)} />
          ))}
          <Menu.Divider />
          <MenuChoice
            on={address.cancelled === true}
            label="Отменённые и неявки"
            onClick={() => setAddress({ cancelled: address.cancelled ? undefined : true })}
          />
          <Menu.Divider />
          <MenuItem label="Печать дня" icon={IconPrinter} onClick={() => window.print()} />
        </ActionMenu>
      )}
    </div>
  )
}

const turned = (day: string, view: CalendarView, way: 1 | -1): string => {
  if (view === 'month') {
    const date = new Date(`${day.slice(0, 7)}-01`)
    date.setUTCMonth(date.getUTCMonth() + way)
    return date.toISOString().slice(0, 10)
  }
  return plusDays(day, view === 'day' ? way : 7 * way)
}

/** What is shown, in words: the head of the page says it. */
export const titleOf = (day: string, view: CalendarView): string => {
  if (view === 'month') return monthWords(day)
  if (view === 'day') return dayWords(day)
  const monday = mondayOf(day)
  return `${shortDay(monday)} — ${shortDay(plusDays(monday, 6))}`
}
